/*===-- gomp_loops.c - libgomp's threads get pieces of loops near them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * gcc calls a function at the beginning of a loop and another one for each further piece.  Where a
 * region is a loop, threads come to the second one only; gomp_hooks.c has that region.
 */
#include <stddef.h>

#include "hook_routes.h"
#include "mai/process/interpose.h"
#include "near_loops.h"

#define GOMP_LOOPS_INTERPOSE MAI_INTERPOSES
#include "openmp/loops/gomp_loop_calls.h"

static struct mai_loop_way way_of(enum mai_function function, const void *caller) {
  return mai_near_loops_way(caller, function);
}

static void note_any(enum mai_loop_schedule schedule, const void *caller) {
  (void)schedule, (void)caller;
}

static void *next_of(enum mai_function function, const void *caller) {
  return mai_hook_next(caller, function);
}
