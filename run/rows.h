/*===-- rows.h - the blocks of a site as the rows of a matrix ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A loop allocates a row in each step: a vector of vectors, pointers to rows.  To which node the
 * n-th of them belongs depends on how many there are.  So they wait until a parallel region is
 * opened: those of a site that have come since the last region are a matrix, in their order, and
 * are placed then, with what they hold already.
 *
 * Every function may be called from any thread.
 */
#ifndef RUN_ROWS_H
#define RUN_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "sites.h"

/** A block of a site whose blocks are rows. */
void run_rows_add(struct run_site *site, void *block, size_t bytes);

/** How many rows wait. */
extern atomic_size_t run_rows_waiting;

static inline bool run_rows_wait(void) {
  return atomic_load_explicit(&run_rows_waiting, memory_order_relaxed) > 0;
}

/** A block is freed, or about to change its size: if it waits, it does so no longer. */
void run_rows_forget(const void *block);

#endif /* RUN_ROWS_H */
