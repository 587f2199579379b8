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
#include <stddef.h>

struct mai_site {
  const char *key;                 /**< as callers/key.h, with the order */
  atomic_size_t blocks;            /**< that there have been */
  atomic_size_t live, live_most;   /**< now, and the most at a time */
  atomic_size_t bytes, bytes_most; /**< the same for the bytes of all of them */
};

/** A block begins. */
void mai_site_begin(struct mai_site *site, size_t bytes);

/** It ends.  NULL is allowed. */
void mai_site_end(struct mai_site *site, size_t bytes);

#endif /* MAI_SITES_H */
