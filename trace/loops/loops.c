/*===-- loops.c - pieces of loops of traced programs -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Threads of traced programs get the pieces that they get where MAi places the program's arrays.
 * What any thread may get is told of.
 */
#include "trace/runtime/hooks.h"
#include "trace/runtime/next.h"
#include "trace/runtime/regions.h"

#define GOMP_LOOPS_INTERPOSE TRACE_INTERPOSES
#include "openmp/loops/gomp_loop_calls.h"
#define KMPC_LOOPS_INTERPOSE TRACE_INTERPOSES
#include "openmp/loops/kmpc_loop_calls.h"

static struct mai_loop_way way_of(enum mai_function function, const void *caller) {
  return trace_loop_way(caller, function);
}

static void *next_of(enum mai_function function, const void *caller) {
  return trace_next_of(caller, function).function;
}

static void note_any(enum mai_loop_schedule schedule, const void *caller) {
  (void)caller;
  if (schedule == MAI_LOOP_RUNTIME)
    mai_trace_runtime_loop();
  else
    mai_trace_dynamic_loop();
}
