/*===-- kmpc_tasks.h - tasks of LLVM's run-time go where their data is *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * clang and its relatives ask the run-time for a task's memory (__kmpc_omp_task_alloc()), fill in
 * what the task gets, and say what becomes of it: deferred, with dependences, run at once by the
 * program itself, or the pattern of a loop's tasks.  A task that is counted by the run-time must
 * be given to it.  So a plain one, while it is made, is not the run-time's at all: it is *held*, in
 * memory of ours.
 *
 * What cannot be plain is the run-time's from the beginning, and *passed*: its body is run in a
 * frame of its own.
 */
#ifndef MAI_KMPC_TASKS_H
#define MAI_KMPC_TASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "frames.h"
#include "openmp/routes.h"

struct mai_kmpc_task;
typedef int32_t mai_kmpc_entry_t(int32_t thread, struct mai_kmpc_task *task);

/** LLVM's kmp_task_t.  Behind it is what is private to the task, then what it shares. */
struct mai_kmpc_task {
  void *shared;
  void *routine; /**< the entry; the program neither reads nor calls it */
  int32_t part;  /**< of an untied task: where it goes on */
  mai_kmpc_entry_t *destructors;
  uintptr_t priority;
};

/** Flags of tasks. */
enum {
  MAI_KMPC_TIED = 1 << 0,
  MAI_KMPC_FINAL = 1 << 1,
  MAI_KMPC_MERGED = 1 << 2,
  MAI_KMPC_DESTRUCTORS = 1 << 3,
  MAI_KMPC_PRIORITY = 1 << 5,
  MAI_KMPC_DETACHABLE = 1 << 6
};

/** A task that is held: the arguments of its struct mai_work. */
struct mai_kmpc_held {
  mai_kmpc_entry_t *entry;
  void *location;
  struct mai_kmpc_task *stand_in; /**< the run-time's, while the program runs this one itself */
  struct mai_frame frame;         /**< then */
  uint32_t bytes;                 /**< of the task and what it gets */
  uint8_t said;                   /**< the home that the program wants for it, or MAI_NO_HOME */
  bool destructors;
  bool runs;     /**< deferred, and called from here */
  bool is_again; /**< the rest of it is to be run: it is untied */
  _Alignas(16) struct mai_kmpc_task task;
};

/** Whether a run-time is LLVM's. */
static inline bool mai_kmpc_is(const struct mai_runtime *runtime) {
  return runtime && runtime->openmp.is_llvm && runtime->openmp.in_final;
}

/** The held task that a task is; NULL: it is the run-time's. */
struct mai_kmpc_held *mai_kmpc_held(struct mai_kmpc_task *task);

/** What a task gets: its private and its shared data, or addresses of them. */
const void *mai_kmpc_arguments(const struct mai_kmpc_held *held, size_t *bytes);

/** A copy of a held task, byte by byte; NULL when there is no memory. */
struct mai_kmpc_held *mai_kmpc_copy(const struct mai_kmpc_held *held);

/** Defer a held task, or run it at once.
 *  @param said the home that is wanted for it, or MAI_NO_HOME */
void mai_kmpc_defer(struct mai_kmpc_held *held, const struct mai_route *route, int32_t thread,
                    unsigned said);
void mai_kmpc_run_at_once(struct mai_kmpc_held *held, const struct mai_route *route,
                          int32_t thread);

/** A held task ends: its private data go. */
void mai_kmpc_delete(struct mai_kmpc_held *held, int32_t thread);

/** __kmpc_taskloop() and __kmpc_taskloop_5() of held tasks. */
void mai_kmpc_taskloop(void *location, int32_t thread, struct mai_kmpc_task *task,
                       int32_t if_clause, uint64_t *first, uint64_t *last, int64_t step,
                       int32_t no_group, int32_t schedule, uint64_t number, void *copy);
void mai_kmpc_taskloop_5(void *location, int32_t thread, struct mai_kmpc_task *task,
                         int32_t if_clause, uint64_t *first, uint64_t *last, int64_t step,
                         int32_t no_group, int32_t schedule, uint64_t number, int32_t strict,
                         void *copy);

#endif /* MAI_KMPC_TASKS_H */
