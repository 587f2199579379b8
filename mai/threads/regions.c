/*===-- regions.c - parallel regions whose threads come by ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "regions.h"

#include <errno.h>
#include <stddef.h>

#include "created.h"
#include "mai/process/call.h"
#include "new_threads.h"
#include "team_size.h"
#include "runtime/lock.h"
#include "teams.h"

_Atomic(mai_region_watcher *) mai_region_watchers[MAI_REGION_WATCHERS];

void mai_regions_watch(mai_region_watcher *watcher) {
  for (unsigned i = 0; i < MAI_REGION_WATCHERS; i++) {
    mai_region_watcher *none = NULL;
    if (atomic_compare_exchange_strong(&mai_region_watchers[i], &none, watcher))
      return;
  }
}

/* So many may begin at the same time; the threads of others do not come by. */
enum { REGIONS = 1024, MOST_PROBES = 64 };

/* Each apart from the others, which other threads count up. */
static struct {
  _Alignas(128) struct mai_region region;
} pool[REGIONS];

static struct mai_region *take(void) {
  static atomic_uint next;
  unsigned start = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  for (unsigned i = 0; i < MOST_PROBES; i++) {
    struct mai_region *region = &pool[(start + i) % REGIONS].region;
    bool free = false;
    if (atomic_compare_exchange_strong(&region->busy, &free, true))
      return region;
  }
  return NULL;
}

static struct mai_region *open_for(struct mai_runtime *runtime, unsigned requested) {
  struct mai_opening opening;
  struct mai_region *region = mai_team_open(runtime, requested, &opening) ? take() : NULL;
  if (region) {
    region->runtime = runtime;
    region->opening = opening;
    atomic_store_explicit(&region->begun, 0, memory_order_relaxed);
    atomic_store_explicit(&region->has_news, false, memory_order_relaxed);
  } else {
    mai_new_threads_expect_none();
  }
  return region;
}

/* A cached team is asked for outside the library: it takes no longer than its run-time's answer.
 */
struct mai_region *mai_region_open(struct mai_runtime *runtime, unsigned requested) {
  if (!runtime || mai_team_is_cached(runtime, requested))
    return NULL;
  MAI_CALL;
  MINAS_CALLS_OUT(); /* the run-time's functions */
  int error = errno;
  struct mai_region *region = open_for(runtime, requested);
  errno = error;
  return region;
}

static bool is_last_to_begin(struct mai_region *region) {
  const struct mai_openmp *openmp = &region->runtime->openmp;
  int size = openmp->get_team_size(openmp->get_level());
  return (int)atomic_fetch_add(&region->begun, 1) + 1 >= size;
}

void mai_region_leave_nothing(unsigned thread) {
  if (thread > 0)
    mai_created_leave_nothing();
}

struct mai_part mai_region_begin(struct mai_region *region, unsigned thread) {
  MAI_CALL;
  MINAS_CALLS_OUT(); /* the run-time's functions */
  int error = errno;
  struct mai_part part = {region->body, region->data};
  if (mai_team_enter(region->runtime, thread, &region->opening))
    atomic_store(&region->has_news, true);
  if (is_last_to_begin(region)) {
    bool has_news = atomic_load(&region->has_news);
    atomic_store(&region->busy, false);
    if (has_news)
      mai_team_size_places_seen();
  }
  errno = error;
  return part;
}
