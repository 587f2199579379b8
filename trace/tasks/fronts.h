/*===-- fronts.h - functions that run in place of those of tasks --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Compilers turn the body of each task of the program into a function of its own, and give that to
 * the run-time.  It gets another one here, a *front*, which knows the body by its number: so what
 * the task gets is left as it is, and tasks of different places still have different functions.
 */
#ifndef MAI_TRACE_FRONTS_H
#define MAI_TRACE_FRONTS_H

#include <stdatomic.h>

#include "trace/runtime/threads.h"

/** Calls X() for each number of a task, in octal: with four digits. */
#define TRACE_EACH_OF_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define TRACE_EACH_OF_64(X, n)                                                                     \
  TRACE_EACH_OF_8(X, n##0)                                                                         \
  TRACE_EACH_OF_8(X, n##1)                                                                         \
  TRACE_EACH_OF_8(X, n##2)                                                                         \
  TRACE_EACH_OF_8(X, n##3)                                                                         \
  TRACE_EACH_OF_8(X, n##4)                                                                         \
  TRACE_EACH_OF_8(X, n##5)                                                                         \
  TRACE_EACH_OF_8(X, n##6)                                                                         \
  TRACE_EACH_OF_8(X, n##7)
#define TRACE_EACH_TASK(X)                                                                         \
  TRACE_EACH_OF_64(X, 00) TRACE_EACH_OF_64(X, 01) TRACE_EACH_OF_64(X, 02) TRACE_EACH_OF_64(X, 03)
_Static_assert(TRACE_TASKS_MAX == 0400, "one front for each");

/** The body of a task. */
static inline void *trace_task_body(unsigned task) {
  return (void *)atomic_load_explicit(&trace_tasks()->codes[task], memory_order_relaxed);
}

#endif /* MAI_TRACE_FRONTS_H */
