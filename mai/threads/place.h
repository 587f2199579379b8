/*===-- place.h - where the library keeps the calling thread -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A thread is moved when the place it should have is not the one it was last given: a comparison,
 * no system call.  So a thread whose mask the program itself changes afterwards is left alone.
 */
#ifndef MAI_PLACE_H
#define MAI_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "mai/process/affinity.h"

struct mai_place {
  enum mai_place_kind {
    MAI_ANYWHERE, /**< where the thread may run is not our doing */
    MAI_ON_CPU,   /**< `index` is the OS index of a CPU */
    MAI_ON_NODE   /**< `index` is the logical index of a node */
  } kind;
  uint32_t index;
};

/** The place that the calling thread was last given. */
struct mai_place mai_place_now(void);

/** Whether that is this one. */
bool mai_place_is(enum mai_place_kind kind, uint32_t index);

/** Give the calling thread a place, whose CPUs are in `mask`.  A place that the kernel refuses is
 *  noted all the same, so as not to be asked for again at each region.
 *  @return 0, or -1 with the errno of sched_setaffinity() */
int mai_place_keep(enum mai_place_kind kind, uint32_t index, const struct mai_cpu_mask *mask);

/** Whether the calling thread has a narrower mask than the process, by our doing. */
bool mai_place_narrowed(void);

/** What mai_place_return() needs to know. */
struct mai_place_before {
  struct mai_place place;
  bool narrowed;
  struct mai_cpu_mask mask; /**< when narrowed */
};

/** Give the calling thread the process's mask, if it is narrowed. */
struct mai_place_before mai_place_release(void);

/** Undo mai_place_release(). */
void mai_place_return(const struct mai_place_before *before);

/** What mai_place_home() says of a thread that has no home. */
#define MAI_NO_HOME UINT32_MAX

/** The node (logical index) on which the calling thread and the teams it opens are to stay, by
 *  mai_on_node() or because such a team's region has begun; MAI_NO_HOME. */
uint32_t mai_place_home(void);
void mai_place_set_home(uint32_t node);

/** Whether the calling thread is the process's first. */
bool mai_place_is_first_thread(void);

/** The calling thread is the first of a new process made by fork(). */
void mai_place_begin_child(void);

#endif /* MAI_PLACE_H */
