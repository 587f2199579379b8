/*===-- kmpc_tasks.c - where tasks of clang's programs begin and end -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fronts.h"
#include "trace/runtime/next.h"
#include "trace/runtime/regions.h"

struct task; /* LLVM's kmp_task_t */
typedef int32_t entry_t(int32_t thread, struct task *task);

__attribute__((noinline)) static int32_t run(unsigned number, int32_t thread, struct task *task) {
  struct trace_context *before = trace_task_begin(number);
  entry_t *body;
  *(void **)&body = trace_task_body(number);
  int32_t result = body(thread, task);
  trace_leave(before);
  return result;
}

#define DEFINE_FRONT(number)                                                                       \
  static int32_t front_##number(int32_t thread, struct task *task) {                               \
    return run(number, thread, task);                                                              \
  }
#define FRONT(number) front_##number,

TRACE_EACH_TASK(DEFINE_FRONT)
static entry_t *const fronts[] = {TRACE_EACH_TASK(FRONT)};

/* Where a call goes that returns to `caller`. */
#define NEXT(next, caller, name) (*(void **)&(next) = trace_next_of(caller, MAI_FN_##name).function)

/* The task that this thread has made last: the program runs it itself, if so, as soon as it has
   filled in what the task gets. */
static __thread struct {
  struct task *task;
  unsigned number;
} last __attribute__((tls_model("initial-exec")));

TRACE_INTERPOSES struct task *task_alloc(void *location, int32_t thread, int32_t flags,
                                         size_t bytes, size_t shared_bytes,
                                         entry_t *entry) __asm__("__kmpc_omp_task_alloc");
struct task *task_alloc(void *location, int32_t thread, int32_t flags, size_t bytes,
                        size_t shared_bytes, entry_t *entry) {
  __typeof__(&task_alloc) next;
  unsigned number = trace_task_of((const void *)entry);
  NEXT(next, __builtin_return_address(0), __kmpc_omp_task_alloc);
  last.task = next(location, thread, flags, bytes, shared_bytes, number ? fronts[number] : entry);
  last.number = number;
  return last.task;
}

/*===-- Tasks that the program runs itself: if(0) ---------------------------===*/

typedef void bound_t(void *location, int32_t thread, struct task *task);

TRACE_INTERPOSES bound_t task_begin_if0 __asm__("__kmpc_omp_task_begin_if0");
void task_begin_if0(void *location, int32_t thread, struct task *task) {
  bound_t *next;
  NEXT(next, __builtin_return_address(0), __kmpc_omp_task_begin_if0);
  next(location, thread, task);
  if (trace_settings()->tasks)
    trace_task_push(task == last.task ? last.number : 0);
}

TRACE_INTERPOSES bound_t task_complete_if0 __asm__("__kmpc_omp_task_complete_if0");
void task_complete_if0(void *location, int32_t thread, struct task *task) {
  bound_t *next;
  NEXT(next, __builtin_return_address(0), __kmpc_omp_task_complete_if0);
  if (trace_settings()->tasks)
    trace_task_pop();
  next(location, thread, task);
}
