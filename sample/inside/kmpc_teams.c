/*===-- kmpc_teams.c - the same in the programs of clang ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "loops.h"
#include "openmp/loops/kmpc_loops.h"
#include "teams.h"
#include "write.h"

struct region_data {
  const struct mai_openmp *openmp;
  struct mai_kmpc_loops *loops;
};

#define KMPC_REGIONS_INTERPOSE SAMPLE_INTERPOSES
#include "openmp/kmpc_regions.h"

static fork_t begin(struct region *region, const void *caller) {
  const struct mai_loop_way way = sample_loop_way(caller, MAI_FN___kmpc_fork_call);
  fork_t function;
  *(void **)&function = way.next;
  if (way.openmp)
    region->invoke = find_invoke((const void *)way.openmp->get_level);
  region->watched = region->invoke;
  region->data.openmp = way.openmp;
  region->data.loops = region->watched ? mai_kmpc_loops_open(&way) : NULL;
  return function;
}

static void enter(const struct region *region, unsigned thread) {
  (void)thread;
  mai_kmpc_loops_join(region->data.loops, region->data.openmp);
  sample_note_thread(region->data.openmp);
}

static void leave(const struct region *region) { mai_kmpc_loops_leave(region->data.loops); }

static void end(const struct region *region) { mai_kmpc_loops_close(region->data.loops); }
