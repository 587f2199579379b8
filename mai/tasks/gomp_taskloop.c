/*===-- gomp_taskloop.c - loops by tasks, of libgomp ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * libgomp runs a loop by one thread when it has many tasks.  So the loop is divided here, in the
 * same way as there, into tasks like all others.
 */
#include <string.h>

#include "frames.h"
#include "gomp_tasks.h"
#include "home.h"
#include "loop_division.h"
#include "mai/process/interpose.h"
#include "mai/threads/hook_routes.h"
#include "openmp/gomp_iterations.h"
#include "tickets.h"

typedef void make_loop_t(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size,
                         long alignment, unsigned flags, unsigned long tasks, int priority,
                         uint64_t start, uint64_t end, uint64_t step);

struct loop {
  struct mai_gomp_task task;
  unsigned flags;
  unsigned long tasks; /* the clause num_tasks or grainsize; 0: none */
  uint64_t start;
  uint64_t end;
  uint64_t step;
};

static uint64_t count_signed(const struct loop *loop) {
  return mai_gomp_count_signed(loop->start, loop->end, loop->step);
}

static uint64_t count_unsigned(const struct loop *loop) {
  return mai_gomp_count_unsigned(loop->flags & MAI_GOMP_UP, loop->start, loop->end, loop->step);
}

static struct mai_division divide(const struct loop *loop, uint64_t iterations, unsigned threads) {
  if (loop->flags & MAI_GOMP_GRAINSIZE)
    return mai_divide_by_grain(iterations, loop->tasks, loop->flags & MAI_GOMP_STRICT);
  uint64_t tasks = loop->tasks ? loop->tasks : threads;
  return mai_divide_evenly(iterations, tasks < iterations ? tasks : iterations);
}

/*===-- Tasks --------------------------------------------------------------===*/

/* A task's iterations are the first two words of its arguments. */
struct part {
  const struct loop *loop;
  uint64_t range[2];
};

static void copy_part(void *to, void *from) {
  const struct part *part = from;
  const struct mai_gomp_task *task = &part->loop->task;
  if (task->copy)
    task->copy(to, task->data);
  else
    memcpy(to, task->data, task->size);
  memcpy(to, part->range, sizeof part->range);
}

static void make_part(const struct loop *loop, const struct mai_route *route, uint64_t start,
                      uint64_t end, unsigned said) {
  struct part part = {loop, {start, end}};
  struct mai_gomp_task task = loop->task;
  task.data = &part;
  task.copy = copy_part;
  mai_gomp_make(&task, route, said);
}

/* Where no home has been said, a task goes to that of its share of the arrays that the loop gets,
   as if the loop went through them. */
static unsigned home_of_part(const struct loop *loop, uint64_t first, uint64_t count,
                             uint64_t iterations, unsigned said) {
  if (said != MAI_NO_HOME)
    return said;
  return mai_home_of_share(loop->task.data, loop->task.size, first, count, iterations);
}

static void make_parts(const struct loop *loop, const struct mai_route *route, uint64_t iterations,
                       unsigned said) {
  const struct mai_openmp *openmp = &route->functions[MAI_FN_GOMP_task].runtime->openmp;
  struct mai_division division = divide(loop, iterations, (unsigned)openmp->get_num_threads());
  uint64_t first = 0;
  for (uint64_t i = 0; i < division.tasks; i++) {
    uint64_t count = mai_division_count(&division, i, iterations - first);
    unsigned home = home_of_part(loop, first, count, iterations, said);
    uint64_t end = first + count;
    make_part(loop, route, loop->start + first * loop->step,
              end == iterations ? loop->end : loop->start + end * loop->step, home);
    first = end;
  }
}

/*===-- Loops --------------------------------------------------------------===*/

/* What the loop reduces is the third word of its data. */
static void *reduced(const struct loop *loop) {
  void *words[3];
  memcpy(words, loop->task.data, sizeof words);
  return words[2];
}

static bool reduces(const struct loop *loop) {
  return (loop->flags & (MAI_GOMP_NOGROUP | MAI_GOMP_REDUCTION)) == MAI_GOMP_REDUCTION;
}

static void begin_group(const struct loop *loop, const struct mai_route *route) {
  void (*begin)(void);
  void (*reduce)(void *);
  *(void **)&begin = route->functions[MAI_FN_GOMP_taskgroup_start].next;
  *(void **)&reduce = route->functions[MAI_FN_GOMP_taskgroup_reduction_register].next;
  mai_frame_begin_group(mai_frame_now());
  begin();
  if (reduces(loop)) {
    mai_frame_reduce(mai_frame_now());
    reduce(reduced(loop));
  }
}

static void end_group(const struct mai_route *route) {
  void (*end)(void);
  *(void **)&end = route->functions[MAI_FN_GOMP_taskgroup_end].next;
  mai_task_wait(0);
  end();
}

static void make(const struct loop *loop, const struct mai_route *route, uint64_t iterations) {
  unsigned said = mai_home_said();
  bool group = !(loop->flags & MAI_GOMP_NOGROUP);
  if (iterations == 0) {
    if (reduces(loop))
      ((uintptr_t *)reduced(loop))[2] = 0; /* tells that nothing has been registered */
    return;
  }
  if (group)
    begin_group(loop, route);
  make_parts(loop, route, iterations, said);
  if (group)
    end_group(route);
}

static void make_or_pass(const struct loop *loop, const struct mai_route *route,
                         enum mai_function function,
                         uint64_t count_iterations(const struct loop *loop)) {
  const struct mai_gomp_task *task = &loop->task;
  make_loop_t *next;
  *(void **)&next = route->functions[function].next;
  if (mai_near() && mai_gomp_runs(route->functions[function].runtime))
    make(loop, route, count_iterations(loop));
  else
    next(task->body, task->data, task->copy, (long)task->size, (long)task->alignment, loop->flags,
         loop->tasks, task->priority, loop->start, loop->end, loop->step);
}

#define DEFINE_LOOP(name, count_iterations)                                                        \
  MAI_INTERPOSES void name(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size,    \
                           long alignment, unsigned flags, unsigned long tasks, int priority,      \
                           uint64_t start, uint64_t end, uint64_t step);                           \
  void name(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size, long alignment,   \
            unsigned flags, unsigned long tasks, int priority, uint64_t start, uint64_t end,       \
            uint64_t step) {                                                                       \
    enum { TASKS = MAI_GOMP_UNTIED | MAI_GOMP_FINAL | MAI_GOMP_MERGEABLE | MAI_GOMP_PRIORITY };    \
    const void *caller = __builtin_return_address(0);                                              \
    const struct loop loop = {{body, data, copy, (size_t)size, (size_t)alignment,                  \
                               flags & MAI_GOMP_IF, flags & TASKS, NULL, priority, NULL},          \
                              flags,                                                               \
                              tasks,                                                               \
                              start,                                                               \
                              end,                                                                 \
                              step};                                                               \
    make_or_pass(&loop, mai_hook_route(caller, MAI_FN_##name), MAI_FN_##name, count_iterations);   \
  }

DEFINE_LOOP(GOMP_taskloop, count_signed)
DEFINE_LOOP(GOMP_taskloop_ull, count_unsigned)
