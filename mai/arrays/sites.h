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

#include "mai/policy/policy.h"

struct mai_array;

struct mai_site {
  const char *key;                 /**< as callers/key.h, with the order */
  const char *place;               /**< the lines that lead to it, with the order; "": not known */
  atomic_size_t blocks;            /**< that there have been */
  atomic_size_t live, live_most;   /**< now, without what is free, and the most at a time */
  atomic_size_t bytes, bytes_most; /**< the same for the bytes of all of them */

  /* What parallel regions call its blocks; written by one thread at a time. */
  _Atomic(const char *) name;           /**< NULL: no region has one */
  atomic_uint name_rank;                /**< as an array's */
  atomic_uint named;                    /**< so many blocks have been found to be called so */
  atomic_bool names_differ;             /**< others are called otherwise */
  _Atomic(const mai_policy_t *) policy; /**< for blocks of this name to come; NULL: not known */
};

/** A block begins. */
void mai_site_begin(struct mai_site *site, size_t bytes);

/** A region has given a block of a site its name. */
void mai_site_call(const struct mai_array *block);

/** Whether a name says nothing: a function has it, which is called for many blocks: those of
 *  several sites have it at the same time.
 *  @param rank how sure the name is otherwise */
bool mai_name_is_of_many(const char *name, unsigned rank);

/** A function has another name for a block as its parameter than one before it.
 *  @return whether that says more: the block's name says nothing, and this one may */
bool mai_site_calls_better(const struct mai_array *block, const char *name);

/** What regions call all its blocks; NULL where they do not, or the site is NULL. */
const char *mai_site_name(const struct mai_site *site);

/** Whether regions have different names for its blocks.  NULL is allowed. */
bool mai_site_has_names(const struct mai_site *site);

/** The user has set this policy for the name of its blocks: those to come are placed by it, once it
 *  is sure that they have the same name.  NULL: there is none. */
void mai_site_place_by(struct mai_site *site, const mai_policy_t *policy);

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
