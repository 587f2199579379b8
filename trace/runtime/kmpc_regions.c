/*===-- kmpc_regions.c - where clang's parallel regions begin and end *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "next.h"
#include "openmp/loops/kmpc_loops.h"
#include "regions.h"
#include "threads.h"

struct region_data {
  const void *code; /* names the region */
  const struct mai_openmp *openmp;
  struct trace_context *before; /* of the thread that opens the region */
  struct mai_kmpc_loops *loops;
};

#define KMPC_REGIONS_INTERPOSE TRACE_INTERPOSES
#include "openmp/kmpc_regions.h"

static fork_t begin(struct region *region, const void *caller) {
  const struct mai_loop_way way = trace_loop_way(caller, MAI_FN___kmpc_fork_call);
  fork_t function;
  region->invoke = find_invoke(way.openmp ? (const void *)way.openmp->get_level : way.next);
  region->watched = way.openmp && region->invoke;
  region->data.before = trace_own_context();
  region->data.openmp = way.openmp;
  region->data.loops = region->watched ? mai_kmpc_loops_open(&way) : NULL;
  *(microtask_t *)&region->data.code = region->body;
  *(void **)&function = way.next;
  return function;
}

static void enter(const struct region *region, unsigned thread) {
  (void)thread;
  mai_kmpc_loops_join(region->data.loops, region->data.openmp);
  trace_enter(region->data.openmp, region->data.code);
}

static void leave(const struct region *region) { mai_kmpc_loops_leave(region->data.loops); }

static void end(const struct region *region) {
  mai_kmpc_loops_close(region->data.loops);
  trace_leave(region->data.before);
}
