/*===-- tickets.h - the run-time's tasks that run the others -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A plain task goes into its parent's queues, and the run-time gets tickets (queues.h).  A ticket
 * runs each task as one that the run-time makes and runs at once, as for the clause if(0): so each
 * has children, groups and settings of its own, and the run-time waits for what it would wait for.
 */
#ifndef MAI_TICKETS_H
#define MAI_TICKETS_H

#include "queues.h"

/** Why the tasks that the calling thread makes now are the run-time's; MAI_PASSED_REASONS: all that
 *  it does with them can be done here, as they are of the outermost team, which is of several
 *  threads, may be deferred, and nothing can be cancelled.  None of another's children may wait for
 *  those of a task of the run-time's: level 1 is the outermost team, whose threads each run one
 *  implicit task at a time. */
enum mai_passed mai_tasks_are_passed(const struct mai_openmp *openmp);

/** Find the home of a task that runs a function with these arguments.
 *  @param said the home that the program wants for it, or MAI_NO_HOME */
void mai_task_find_home(struct mai_work *work, const void *function, const void *arguments,
                        size_t bytes, unsigned said);

/** Put a task into the queues of the task that makes it, the calling thread's.  One that belongs
 *  nowhere, as may those that come of it, is left to the run-time. */
void mai_task_enqueue(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread);

/** What the run-time's task for one that is left to it does. */
void mai_lone_task_run(const struct mai_lone_task *lone, int32_t thread);

/** What a ticket does; `thread` is the run-time's number of the calling thread, where it wants it.
 */
void mai_ticket_run(struct mai_task_queues *queues, int32_t thread);

/** The task that the calling thread runs waits for those that it has made: run those in queues, and
 *  those that come of them, before the run-time waits for the rest. */
void mai_task_wait(int32_t thread);

#endif /* MAI_TICKETS_H */
