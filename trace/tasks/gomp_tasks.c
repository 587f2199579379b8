/*===-- gomp_tasks.c - where tasks of gcc's programs begin and end -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <stdbool.h>

#include "fronts.h"
#include "trace/runtime/next.h"
#include "trace/runtime/regions.h"

typedef void body_t(void *data);
typedef void copy_t(void *to, void *from);

__attribute__((noinline)) static void run(unsigned task, void *data) {
  struct trace_context *before = trace_task_begin(task);
  body_t *body;
  *(void **)&body = trace_task_body(task);
  body(data);
  trace_leave(before);
}

#define DEFINE_FRONT(number)                                                                       \
  static void front_##number(void *data) { run(number, data); }
#define FRONT(number) front_##number,

TRACE_EACH_TASK(DEFINE_FRONT)
static body_t *const fronts[] = {TRACE_EACH_TASK(FRONT)};

static body_t *front_of(body_t *body) {
  unsigned task = trace_task_of((const void *)body);
  return task ? fronts[task] : body;
}

TRACE_INTERPOSES void make_task(body_t *body, void *data, copy_t *copy, long size, long alignment,
                                bool if_clause, unsigned flags, void **depend, int priority,
                                void *detach) __asm__("GOMP_task");
void make_task(body_t *body, void *data, copy_t *copy, long size, long alignment, bool if_clause,
               unsigned flags, void **depend, int priority, void *detach) {
  __typeof__(&make_task) next;
  *(void **)&next = trace_next_of(__builtin_return_address(0), MAI_FN_GOMP_task).function;
  next(front_of(body), data, copy, size, alignment, if_clause, flags, depend, priority, detach);
}

/* Numbers are as wide in both. */
#define DEFINE_LOOP(name)                                                                          \
  TRACE_INTERPOSES void name(body_t *body, void *data, copy_t *copy, long size, long alignment,    \
                             unsigned flags, unsigned long tasks, int priority, uint64_t start,    \
                             uint64_t end, uint64_t step);                                         \
  void name(body_t *body, void *data, copy_t *copy, long size, long alignment, unsigned flags,     \
            unsigned long tasks, int priority, uint64_t start, uint64_t end, uint64_t step) {      \
    __typeof__(&(name)) next;                                                                      \
    *(void **)&next = trace_next_of(__builtin_return_address(0), MAI_FN_##name).function;          \
    next(front_of(body), data, copy, size, alignment, flags, tasks, priority, start, end, step);   \
  }

DEFINE_LOOP(GOMP_taskloop)
DEFINE_LOOP(GOMP_taskloop_ull)
