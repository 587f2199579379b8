/*===-- sort.h - sorts without memory -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * qsort() may ask malloc() for memory, which is the program's.
 */
#ifndef MINAS_SORT_H
#define MINAS_SORT_H

#include <stddef.h>

/** Sort `count` elements of `bytes` bytes, as qsort() does: in time of count × log(count), and
 *  equal ones in any order. */
void minas_sort(void *elements, size_t count, size_t bytes,
                int (*compare)(const void *left, const void *right));

#endif /* MINAS_SORT_H */
