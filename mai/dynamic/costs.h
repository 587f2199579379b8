/*===-- costs.h - what watching and moving cost here ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_COSTS_H
#define MAI_COSTS_H

#include <stdbool.h>

/** Seconds of a thread. */
struct mai_costs {
  double sample; /**< that it is sampled; 0: threads cannot be */
  double fault;  /**< that it writes to a watched page; 0: pages cannot be */
  double line;   /**< a line of memory, at best */
  double move;   /**< that a page is moved, before any has been */
};

/** Find them out, by memory of our own.
 *  @param samples threads can be sampled
 *  @param writes pages can be watched
 *  @param is_to_end asked meanwhile: end early */
void mai_costs_measure(struct mai_costs *costs, bool samples, bool writes, bool (*is_to_end)(void));

#endif /* MAI_COSTS_H */
