/*===-- kmpc_taskloop.c - loops by tasks, of LLVM's run-time -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The program makes one task, the pattern, of which the run-time would make a copy for each part of
 * the loop.  Copies are made here, as there.
 */
#include <stdlib.h>

#include "home.h"
#include "kmpc_tasks.h"
#include "loop_division.h"
#include "mai/threads/hook_routes.h"
#include "tickets.h"

/* Finishes a copy that was made byte by byte. */
typedef void finish_copy_t(struct mai_kmpc_task *to, struct mai_kmpc_task *from, int32_t is_last);

enum schedule { NO_SCHEDULE, GRAINSIZE, NUM_TASKS };

struct loop {
  struct mai_kmpc_held *pattern;
  const struct mai_route *route;
  int32_t thread;
  bool deferred;
  bool strict;
  enum schedule schedule;
  uint64_t number; /* of the clause grainsize or num_tasks */
  uint64_t *first; /* in the pattern, as the next */
  uint64_t *last;
  uint64_t step; /* a signed one wraps around */
  finish_copy_t *finish;
};

/* The last iteration is one of the loop's: the program has seen to it that there is one, or that
   the last is one step before the first. */
static uint64_t count_iterations(const struct loop *loop) {
  if ((int64_t)loop->step < 0)
    return (*loop->first - *loop->last) / -loop->step + 1;
  return loop->step ? (*loop->last - *loop->first) / loop->step + 1 : 0;
}

/* Without a clause the run-time makes ten tasks for each thread. */
static struct mai_division divide(const struct loop *loop, uint64_t iterations) {
  const struct mai_openmp *openmp =
      &loop->route->functions[MAI_FN___kmpc_omp_task_alloc].runtime->openmp;
  uint64_t tasks = loop->number;
  if (loop->schedule == GRAINSIZE)
    return mai_divide_by_grain(iterations, loop->number, loop->strict);
  if (loop->schedule == NO_SCHEDULE)
    tasks = 10 * (uint64_t)openmp->get_num_threads();
  return mai_divide_evenly(iterations, tasks < iterations ? tasks : iterations);
}

static uint64_t *same_in(struct mai_kmpc_held *copy, const struct mai_kmpc_held *pattern,
                         const uint64_t *number) {
  return (uint64_t *)((char *)copy + ((const char *)number - (const char *)pattern));
}

/* A loop whose tasks cannot be made cannot be run in another way. */
static struct mai_kmpc_held *copy_pattern(const struct loop *loop, uint64_t first, uint64_t last,
                                          bool is_last) {
  struct mai_kmpc_held *copy = mai_kmpc_copy(loop->pattern);
  if (!copy)
    abort(); /* there is not a page left */
  *same_in(copy, loop->pattern, loop->first) = first;
  *same_in(copy, loop->pattern, loop->last) = last;
  if (loop->finish)
    loop->finish(&copy->task, &loop->pattern->task, is_last);
  return copy;
}

/* Where no home has been said, a task goes to that of its share of the arrays that the loop gets,
   as if the loop went through them. */
static unsigned home_of_part(const struct loop *loop, uint64_t first, uint64_t count,
                             uint64_t iterations) {
  size_t bytes;
  const void *arguments = mai_kmpc_arguments(loop->pattern, &bytes);
  if (loop->pattern->said != MAI_NO_HOME)
    return loop->pattern->said;
  return mai_home_of_share(arguments, bytes, first, count, iterations);
}

static void make_parts(const struct loop *loop, uint64_t iterations) {
  struct mai_division division = divide(loop, iterations);
  uint64_t begin = *loop->first;
  uint64_t first = 0;
  for (uint64_t i = 0; i < division.tasks; i++) {
    uint64_t count = mai_division_count(&division, i, iterations - first);
    struct mai_kmpc_held *part =
        copy_pattern(loop, begin + first * loop->step, begin + (first + count - 1) * loop->step,
                     i + 1 == division.tasks);
    if (loop->deferred)
      mai_kmpc_defer(part, loop->route, loop->thread, home_of_part(loop, first, count, iterations));
    else
      mai_kmpc_run_at_once(part, loop->route, loop->thread);
    first += count;
  }
}

/*===-- Loops --------------------------------------------------------------===*/

static void call_group(const struct loop *loop, enum mai_function function, void *location) {
  void (*next)(void *, int32_t);
  *(void **)&next = loop->route->functions[function].next;
  next(location, loop->thread);
}

static void make(const struct loop *loop, void *location, bool group) {
  uint64_t iterations = count_iterations(loop);
  if (group) {
    mai_frame_begin_group(mai_frame_now());
    call_group(loop, MAI_FN___kmpc_taskgroup, location);
  }
  if (iterations > 0)
    make_parts(loop, iterations);
  mai_kmpc_delete(loop->pattern, loop->thread);
  if (group) {
    mai_task_wait(loop->thread);
    call_group(loop, MAI_FN___kmpc_end_taskgroup, location);
  }
}

#define CALLER() __builtin_return_address(0)

void mai_kmpc_taskloop(void *location, int32_t thread, struct mai_kmpc_task *task,
                       int32_t if_clause, uint64_t *first, uint64_t *last, int64_t step,
                       int32_t no_group, int32_t schedule, uint64_t number, void *copy) {
  struct loop loop = {.pattern = mai_kmpc_held(task),
                      .route = mai_hook_route(CALLER(), MAI_FN___kmpc_taskloop),
                      .thread = thread,
                      .deferred = if_clause,
                      .schedule = (enum schedule)schedule,
                      .number = number,
                      .first = first,
                      .last = last,
                      .step = (uint64_t)step};
  *(void **)&loop.finish = copy;
  make(&loop, location, !no_group);
}

void mai_kmpc_taskloop_5(void *location, int32_t thread, struct mai_kmpc_task *task,
                         int32_t if_clause, uint64_t *first, uint64_t *last, int64_t step,
                         int32_t no_group, int32_t schedule, uint64_t number, int32_t strict,
                         void *copy) {
  struct loop loop = {.pattern = mai_kmpc_held(task),
                      .route = mai_hook_route(CALLER(), MAI_FN___kmpc_taskloop_5),
                      .thread = thread,
                      .deferred = if_clause,
                      .strict = strict,
                      .schedule = (enum schedule)schedule,
                      .number = number,
                      .first = first,
                      .last = last,
                      .step = (uint64_t)step};
  *(void **)&loop.finish = copy;
  make(&loop, location, !no_group);
}
