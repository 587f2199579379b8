/*===-- slices.h - arrays that lie one behind the other ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What a program carves out of one block, such as the vectors in an arena, is one array to MAi.
 * Where threads divide each of them alike, the block consists of slices in which the threads have
 * equal parts, in order.  Where slices end is what explains touches best: what is best for the
 * touches up to some page follows from what is best for fewer (W. Fisher, "On grouping for maximum
 * homogeneity", 1958).
 */
#ifndef MAI_SLICES_H
#define MAI_SLICES_H

#include "inference.h"

/** More are not told apart. */
enum { MAI_MOST_SLICES = 32 };

struct mai_slices {
  unsigned count;   /**< 0: there are none, or it cannot be told */
  long likelihood;  /**< of the touches, less what it costs to choose where slices end */
  size_t explained; /**< touches; where all use a slice, each */
  unsigned long pages[MAI_MOST_SLICES];
};

/** Which slices touches speak for. */
void mai_find_slices(const struct mai_touched *touched, struct mai_slices *slices);

#endif /* MAI_SLICES_H */
