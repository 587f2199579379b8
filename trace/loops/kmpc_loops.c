/*===-- kmpc_loops.c - pieces of loops of clang's programs -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "trace/runtime/next.h"
#include "trace/runtime/regions.h"

#define KMPC_LOOPS_INTERPOSE TRACE_INTERPOSES
#include "openmp/loops/kmpc_loop_calls.h"

static struct mai_loop_way way_of(enum mai_function function, const void *caller) {
  return trace_loop_way(caller, function);
}

static void *next_of(enum mai_function function, const void *caller) {
  return trace_next_of(caller, function).function;
}
