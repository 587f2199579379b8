/*===-- rows.h - where each thread's rows begin -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Threads divide the rows of a sparse matrix, and rows have elements as the data want it.  What
 * belongs to a thread is found by looking up its first row in the program's row pointers.  These
 * are anything until the program has filled them, and are believed only where they make sense.
 */
#ifndef MAI_ROWS_H
#define MAI_ROWS_H

#include <stddef.h>

#include "registry.h"

/** A program's row pointers, and the rows that a loop runs over. */
struct mai_rows {
  const void *pointers;
  size_t entries;      /**< that hold something; at least one more than `first` */
  size_t size;         /**< bytes of an entry, 4 or 8; the numbers have no sign */
  size_t first;        /**< row */
  size_t count;        /**< of rows, at least 1; the end of the last one may be left out */
  unsigned long units; /**< of the array, that a row pointer counts */
};

/**
 * Where the rows of each equal part of the loop begin, as schedule(static) divides it.
 *
 * @param all units of the array
 * @param used so many of its units are in use: the rows have to reach half of them
 * @param bounds receives `parts` + 1 units; the last is where the last row ends
 * @return 0, or -1 with errno EINVAL: the entries up to the last row's end do not ascend, or
 *   reach beyond the array, or not as far as they have to, or there are no rows
 */
int mai_rows_bounds(const struct mai_rows *rows, size_t all, size_t used, size_t parts,
                    unsigned long *bounds);

/** How many teams an array waits for that is divided by what is in it. */
unsigned mai_rows_tries(const mai_policy_t *policy);

/** A policy along row pointers in terms of the array's own units. */
struct mai_rows_shares {
  mai_policy_t policy;   /**< by unequal shares */
  unsigned long *shares; /**< allocated */
};

/**
 * Look up the row pointers that an array's policy names among the arrays that are known.  Of
 * several with that name those are taken that were made as early among these as the array among
 * those of its own name, if there are several of these, and for the last of them, where there are
 * not as many row pointers, those that reach furthest in it.  `*` names those that are addresses
 * in the array, the first of its start; else those that begin and end where the array does, in
 * steps of up to 64 of its units.  An array that is itself divided along others holds none.
 *
 * @param used as mai_rows_bounds()
 * @return 0, or -1 with errno EAGAIN (none with that name make sense yet) or ENOMEM. On success
 *   free it with mai_rows_free().
 */
int mai_rows_share(const struct mai_array *array, size_t used, struct mai_rows_shares *shares);
void mai_rows_free(struct mai_rows_shares *shares);

#endif /* MAI_ROWS_H */
