/*===-- teams.c - tells mai-trace record of threads' numbers -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A region's threads come by here because the functions that gcc calls, and clang in kmpc_teams.c,
 * stand in front of the run-time's.
 */
#include "teams.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "loops.h"
#include "openmp/loops/gomp_loops.h"
#include "runtime/leftovers.h"
#include "runtime/system.h"
#include "write.h"

struct sample_next_region sample_next_region(const void *caller, enum mai_function function) {
  const struct mai_route *route = mai_route_of(caller);
  const struct mai_runtime *runtime = route->functions[function].runtime;
  struct sample_next_region next = {.function = route->functions[function].next};
  if (!next.function)
    abort(); /* without this library the program would not have found it either */
  if (runtime && sample_log_is_open())
    next.openmp = &runtime->openmp;
  return next;
}

static _Thread_local bool noted __attribute__((tls_model("initial-exec")));

/* @return its number in the team, where it has been noted now; 0: it has not, or it is the first */
static int note_thread(const struct mai_openmp *openmp) {
  int level = mai_openmp_team_level(openmp);
  if (level == 0)
    return 0;
  int number = openmp->get_ancestor_thread_num(level);
  const struct sample_entry entry = {.thread = minas_thread(), .bytes = (uint64_t)number};
  noted = sample_log_put(SAMPLE_LOG_THREAD, &entry);
  return noted ? number : 0;
}

/* The first thread's stack has been used before, and may be a small one of the program's. */
void sample_note_thread(const struct mai_openmp *openmp) {
  if (!noted && note_thread(openmp) > 0)
    minas_clear_thread_leftovers(true);
}

/* What was found out of the library may be true of it no more. */
SAMPLE_INTERPOSES int dlclose(void *library) {
  atomic_fetch_add(&mai_unloads, 1);
  int result = SAMPLE_NEXT(dlclose)(library);
  atomic_fetch_add(&mai_unloads, 1);
  return result;
}

/*===-- libgomp -------------------------------------------------------------===*/

typedef void (*body_t)(void *);

/* What libgomp's threads get in place of the body's data. */
struct region {
  void *reductions; /* GOMP_parallel_reductions() looks for them in the data's first word */
  body_t body;
  void *data;
  const struct mai_openmp *openmp;
};

static void run(void *argument) {
  const struct region *region = argument;
  sample_note_thread(region->openmp);
  region->body(region->data);
}

#define GOMP_REGIONS_INTERPOSE SAMPLE_INTERPOSES
#include "openmp/gomp_regions.h"

static struct passed begin(struct region *region, struct passed passed, unsigned threads,
                           enum mai_function function, const void *caller) {
  struct sample_next_region next = sample_next_region(caller, function);
  (void)threads;
  passed.next = next.function;
  mai_gomp_loops_open_region(next.openmp);
  if (!next.openmp)
    return passed;
  *region = (struct region){NULL, passed.body, passed.data, next.openmp};
  if (function == MAI_FN_GOMP_parallel_reductions)
    region->reductions = *(void **)passed.data;
  return (struct passed){run, region, passed.next};
}

static void begin_loop(struct mai_gomp_numbers *numbers, uint64_t chunk, unsigned threads,
                       enum mai_function function, const void *caller) {
  const struct mai_loop_way way = sample_loop_way(caller, function);
  mai_gomp_loop_open(numbers, chunk, function, &way, threads);
}

static void end(const struct region *region) { (void)region; }
