/*===-- kmpc_loops.c - how threads of a sampled program of clang's share loops *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "loops.h"
#include "teams.h"
#include "write.h"

#define KMPC_LOOPS_INTERPOSE SAMPLE_INTERPOSES
#include "openmp/loops/kmpc_loop_calls.h"

static struct mai_loop_way way_of(enum mai_function function, const void *caller) {
  return sample_loop_way(caller, function);
}

static void *next_of(enum mai_function function, const void *caller) {
  return sample_next_region(caller, function).function;
}
