/*===-- dynamic_arrays.h - arrays whose policy is found while the program runs *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What arrays and reports know of them.  mai/dynamic/ watches and moves them.
 */
#ifndef MAI_DYNAMIC_ARRAYS_H
#define MAI_DYNAMIC_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>

/** What has been seen of an array with the policy `dynamic`, and done to it. */
struct mai_account {
  unsigned watches;      /**< times that it was looked at */
  size_t watched;        /**< pages, in all of them */
  size_t touches;        /**< that were written meanwhile, by known threads */
  size_t sampled;        /**< accesses, by known threads */
  const char *pattern;   /**< that they showed last; NULL: none yet */
  double confidence;     /**< how likely it is, of all patterns */
  unsigned moves;        /**< times that the array was moved */
  bool moving;           /**< the last of them has not ended */
  size_t moved_pages;    /**< in all of them */
  bool full;             /**< the last time a node had no room */
  double watch_seconds;  /**< that watching has cost the program's threads */
  double move_seconds;   /**< that moving has taken, of a CPU beside the program's threads */
  double longest_wait;   /**< of a region for pages of it to be moved: seconds */
  double first_move;     /**< began so many seconds after the first array got the policy; ... */
  double last_move;      /**< ... and this one */
  double saved_seconds;  /**< by moves so far, as far as it has been seen: as the next */
  double saved_a_second; /**< by the last move: seconds of all threads, by the model */
  char policy[256];      /**< by which it was moved last; empty: it was not */
};

/** Have `first` called once, when the first array gets the policy. */
void mai_dynamic_arrays_listen(void (*first)(void));

/** An array gets the policy. */
void mai_dynamic_arrays_note(void);

/** Nobody can see what threads access: arrays with the policy keep the kernel's, and so its
 * automatic balancing.  To be called before the first of them is placed. */
void mai_dynamic_arrays_leave(void);

/** Whether they are left so. */
bool mai_dynamic_arrays_are_left(void);

#endif /* MAI_DYNAMIC_ARRAYS_H */
