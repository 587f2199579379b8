/*===-- kmpc_regions.c - where clang's parallel regions begin and end *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <pthread.h>

#include "next.h"
#include "threads.h"

struct region_data {
  const void *code; /* names the region */
};

#define KMPC_REGIONS_INTERPOSE TRACE_INTERPOSES
#define KMPC_REGIONS_NEXT TRACE_NEXT_NAMED
#include "../mai/kmpc_regions.h"

static struct {
  pthread_once_t once;
  struct trace_openmp openmp;
  bool known;
} libomp = {.once = PTHREAD_ONCE_INIT};

/* By a function that nobody stands in front of. */
static void find_libomp(void) {
  const void *inside = TRACE_NEXT_NAMED("__kmpc_global_thread_num");
  libomp.known = trace_find_openmp(inside, &libomp.openmp) && find_invoke(libomp.openmp.library);
}

static bool begin(struct region *region) {
  pthread_once(&libomp.once, find_libomp);
  *(microtask_t *)&region->data.code = region->body;
  return libomp.known;
}

static void end(void) {}

static void *enter(const struct region *region, unsigned thread) {
  (void)thread;
  return trace_enter(&libomp.openmp, region->data.code);
}

static void leave(void *before) { trace_leave(before); }
