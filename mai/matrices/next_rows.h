/*===-- next_rows.h - blocks that are the rows of a matrix ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A loop allocates a row in each step: a vector of vectors, pointers to rows, a member of each of
 * many objects.  To which node the n-th of them belongs depends on how many there are.  So they
 * wait until a parallel region is opened: those of one place that have come since the last region
 * are a matrix, in their order, and are placed then, with what they hold already.
 * mai_place_next_row() of mai_types.h adds one.
 *
 * Every function may be called from any thread.
 */
#ifndef MAI_NEXT_ROWS_H
#define MAI_NEXT_ROWS_H

/** A block is freed, or about to change its size: if it waits, it does so no longer.  The library
 *  hears of the calls of free() and realloc() that come by it; this is for others. */
void mai_next_rows_forget(const void *block);

#endif /* MAI_NEXT_ROWS_H */
