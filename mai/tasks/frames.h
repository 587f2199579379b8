/*===-- frames.h - the task that the calling thread runs ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each task has queues of its own for the tasks that it makes: then these are children of no other,
 * and a thread that waits for children runs no other's.  A frame stands on the stack while a task
 * runs; the frame below all is that of the thread's implicit tasks, of one after the other.
 *
 * Tasks are in the same queues only as long as nothing has happened that makes a difference between
 * them: a group of tasks that begins or ends, another setting to be inherited.  Then the queues are
 * closed: their tickets empty them, and the next task begins new ones.
 */
#ifndef MAI_FRAMES_H
#define MAI_FRAMES_H

#include "openmp/routes.h"
#include "queues.h"

struct mai_frame {
  struct mai_frame *below;
  struct mai_task_queues *queues; /**< NULL: none are open */
  struct mai_work *work;          /**< the task, where it is here; or NULL */
  unsigned home;                  /**< of the task */
  unsigned depth;                 /**< frames below it */
  bool is_apart; /**< it has begun a group: its tasks may be in others than itself */
  bool reduces;  /**< in such a group tasks reduce */
};

/** The calling thread begins to run a task, whose frame this is, and ends it. */
void mai_frame_begin(struct mai_frame *frame, unsigned home);
void mai_frame_begin_work(struct mai_frame *frame, struct mai_work *work);
void mai_frame_end(struct mai_frame *frame);

/** The frame of the task that the calling thread runs. */
struct mai_frame *mai_frame_now(void);

/** The task begins a group: tasks that are made from now on are apart from those before. */
void mai_frame_begin_group(struct mai_frame *frame);

/** Tasks in the group that it has begun last reduce. */
void mai_frame_reduce(struct mai_frame *frame);

/** The queues for the next task that this one makes; NULL when there is no memory. */
struct mai_task_queues *mai_frame_queues(struct mai_frame *frame,
                                         const struct mai_task_maker *maker);

#endif /* MAI_FRAMES_H */
