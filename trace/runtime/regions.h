/*===-- regions.h - where calls of run-times are passed on to ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_REGIONS_H
#define MAI_TRACE_REGIONS_H

#include <pthread.h>

#include "openmp/loops/gomp_loops.h"
#include "openmp/routes.h"

struct trace_next_function {
  void *function;
  struct mai_runtime *runtime; /**< NULL: it cannot be told */
};

/** Where a call of a function of a run-time goes to which returns to `caller`.  Ends the
 *  program when there is no such function. */
struct trace_next_function trace_next_of(const void *caller, enum mai_function function);

/** Where a call of libgomp's functions for loops goes that returns to `caller`. */
struct mai_loop_way trace_loop_way(const void *caller, enum mai_function function);

/** Make a thread of the library's own, which the program does not get to see. @return an errno */
int trace_create_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*start)(void *));

#endif /* MAI_TRACE_REGIONS_H */
