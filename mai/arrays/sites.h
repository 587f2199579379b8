/*===-- sites.h - places of the program that ask for blocks -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program that allocates in each step has thousands of blocks, and few sites: reports have a line
 * for each of these.  A site stays as long as the process.  Its blocks come and go in any thread.
 */
#ifndef MAI_SITES_H
#define MAI_SITES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct mai_site {
  const char *key;                 /**< as callers/key.h, with the order */
  atomic_size_t blocks;            /**< that there have been */
  atomic_size_t live, live_most;   /**< now, without what is free, and the most at a time */
  atomic_size_t bytes, bytes_most; /**< the same for the bytes of all of them */
};

/** A block begins. */
void mai_site_begin(struct mai_site *site, size_t bytes);

/** It ends, or is free and kept to become a block again.  NULL is allowed. */
void mai_site_end(struct mai_site *site, size_t bytes);

/** One that is free and kept ends now: it is counted as a block for the moment. */
static inline void mai_site_drop(struct mai_site *site, size_t bytes) {
  atomic_fetch_add_explicit(&site->live, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&site->bytes, bytes, memory_order_relaxed);
}

/** Whether all blocks of a site are free. */
static inline bool mai_site_is_idle(const struct mai_site *site) {
  return atomic_load_explicit(&site->live, memory_order_relaxed) == 0;
}

#endif /* MAI_SITES_H */
