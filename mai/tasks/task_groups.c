/*===-- task_groups.c - where groups of tasks begin, and are waited for *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Queues are those of one group of tasks: where the run-time begins one they are closed.  When it
 * has ended one nothing is left in them.
 *
 * Before the run-time waits for tasks, those in queues are run here: it would run none but children
 * (libgomp), or only those for which it has got a ticket.
 */
#include "frames.h"
#include "mai/threads/hook_routes.h"
#include "mai/threads/jump.h"
#include "tickets.h"

/* A group of tasks begins, or libgomp begins to run other code as if it were the program's first
   thread. */
void *mai_tasks_begin_group(struct mai_jump *call, unsigned function, const void *caller);
void *mai_tasks_begin_group(struct mai_jump *call, unsigned function, const void *caller) {
  (void)call;
  if (mai_near())
    mai_frame_begin_group(mai_frame_now());
  return mai_hook_next(caller, function);
}

/* The group that a task has begun reduces. */
void *mai_tasks_reduce(struct mai_jump *call, unsigned function, const void *caller);
void *mai_tasks_reduce(struct mai_jump *call, unsigned function, const void *caller) {
  (void)call;
  if (mai_near())
    mai_frame_reduce(mai_frame_now());
  return mai_hook_next(caller, function);
}

/* A task waits for others; LLVM's run-time gets the number of the thread. */
void *mai_tasks_wait(struct mai_jump *call, unsigned function, const void *caller);
void *mai_tasks_wait(struct mai_jump *call, unsigned function, const void *caller) {
  enum { THREAD = 1 };
  if (mai_near())
    mai_task_wait((int32_t)call->arguments[THREAD]);
  return mai_hook_next(caller, function);
}

#if MAI_HAS_JUMPS
#define JUMP(number, name) MAI_JUMP(number, #name, "mai_tasks_begin_group");
MAI_GOMP_GROUPS(JUMP)
MAI_KMPC_GROUPS(JUMP)
#undef JUMP
#define JUMP(number, name) MAI_JUMP(number, #name, "mai_tasks_reduce");
MAI_GOMP_REDUCTIONS(JUMP)
MAI_KMPC_REDUCTIONS(JUMP)
#undef JUMP
#define JUMP(number, name) MAI_JUMP(number, #name, "mai_tasks_wait");
MAI_GOMP_WAITS(JUMP)
MAI_KMPC_WAITS(JUMP)
#endif
