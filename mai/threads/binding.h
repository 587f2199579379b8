/*===-- binding.h - where the library keeps the calling thread -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A thread is moved when the place it should have is not the one it was last given: a comparison,
 * no system call.  So a thread whose mask the program itself changes afterwards is left alone.
 */
#ifndef MAI_BINDING_H
#define MAI_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "mai/process/affinity.h"

struct mai_binding {
  enum mai_binding_kind {
    MAI_ANYWHERE, /**< where the thread may run is not our doing */
    MAI_ON_CPU,   /**< `index` is the OS index of a CPU */
    MAI_ON_NODE   /**< `index` is the logical index of a node */
  } kind;
  uint32_t index;
};

/** The place that the calling thread was last given. */
struct mai_binding mai_binding_now(void);

/** Whether that is this one. */
bool mai_binding_is(enum mai_binding_kind kind, uint32_t index);

/** Give the calling thread a place, whose CPUs are in `mask`.  A place that the kernel refuses is
 *  noted all the same, so as not to be asked for again at each region.
 *  @return 0, or -1 with the errno of sched_setaffinity() */
int mai_binding_keep(enum mai_binding_kind kind, uint32_t index, const struct mai_cpu_mask *mask);

/** Whether the calling thread has a narrower mask than the process, by our doing. */
bool mai_binding_narrowed(void);

/** What mai_binding_return() needs to know. */
struct mai_binding_before {
  struct mai_binding binding;
  bool narrowed;
  struct mai_cpu_mask mask; /**< when narrowed */
};

/** Give the calling thread the process's mask, if it is narrowed. */
struct mai_binding_before mai_binding_release(void);

/** Undo mai_binding_release(). */
void mai_binding_return(const struct mai_binding_before *before);

/** What mai_binding_node() says of a thread that stays on no node. */
#define MAI_NO_NODE UINT32_MAX

/** The node (logical index) on which the calling thread and the teams it opens are to stay, by
 *  mai_on_node() or because such a team's region has begun; MAI_NO_NODE. */
uint32_t mai_binding_node(void);
void mai_binding_set_node(uint32_t node);

/** Whether the calling thread is the process's first. */
bool mai_binding_is_first_thread(void);

/** The calling thread has just been created, and is not the process's first. */
void mai_binding_begin_thread(void);

/** The calling thread is the first of a new process made by fork(). */
void mai_binding_begin_child(void);

#endif /* MAI_BINDING_H */
