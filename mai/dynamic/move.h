/*===-- move.h - moves an array to where a pattern says ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_MOVE_H
#define MAI_MOVE_H

#include "inference.h"
#include "mai/arrays/registry.h"

/** Where an array belongs by a pattern.
 *  @param threads of the team in which it was seen
 *  @param text receives the policy, of `size` bytes; empty where it is longer
 *  @return 0, or -1 with errno: EINVAL where the pattern does not say where */
int mai_pattern_place(const struct mai_pattern *pattern, const struct mai_array *array,
                      unsigned threads, struct mai_placement *placement, char *text, size_t size);

/** The same for the placement before a move.
 *  @param nodes of its pages, as mai_move() has noted them */
int mai_pattern_place_back(const struct mai_array *array, const uint16_t *nodes,
                           struct mai_placement *placement);

/** What came of a move. */
struct mai_moved {
  size_t pages;
  double seconds;      /**< of CPUs */
  double longest_wait; /**< of a thread that opened a region, and moved pages before: seconds */
  bool full;           /**< a node had no room: it was ended */
  bool given_up;       /**< its phase was over before it was */
};

/** How an array is moved. */
struct mai_moving {
  double busy;      /**< seconds a second that the program's threads run, who may have to wait */
  double saves;     /**< what it saves a second when all pages are moved: seconds of threads */
  uint32_t region;  /**< for which; 0: any */
  uint16_t *before; /**< a node for each page, in the array's account: receives where they were,
                         MAI_NOT_MOVED of those that are not there, or not come to */
  bool (*is_to_end)(void); /**< asked between chunks */
};

/**
 * Have an array that is held lie by `placement`, which it gets, and release it; then move its pages
 * some at a time, while the program uses them or, where that costs less, before it opens a parallel
 * region: between them others may hold the array, and end it.  What is moved for a region is given
 * up when other regions run instead that were not known.
 */
void mai_move(struct mai_array *array, struct mai_placement *placement,
              const struct mai_moving *moving, struct mai_moved *moved);

/** Whether a thread that opens a region is to move some pages before. */
bool mai_move_is_wanted(void);

/** Move them, if nobody else does. */
void mai_move_wanted(void);

#endif /* MAI_MOVE_H */
