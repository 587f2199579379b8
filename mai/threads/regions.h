/*===-- regions.h - parallel regions whose threads come by ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Compilers turn the body of a region into a function and pass it to the run-time with the address
 * of what it uses.  Where threads are to come by, the run-time gets a function of ours and the
 * address of a struct mai_region instead.
 *
 * The library learns nothing of a region's end: it may be left by an exception, a jump or the end
 * of a thread.  A struct mai_region is free again when all threads of the team have begun.
 */
#ifndef MAI_REGIONS_H
#define MAI_REGIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "openmp/routes.h"
#include "team_cache.h"

struct mai_region {
  void *reductions; /**< GOMP_parallel_reductions() looks for them in the data's first word */
  void *body;       /**< the program's */
  void *data;       /**< its own, or its first argument */
  struct mai_runtime *runtime;
  struct mai_opening opening;
  atomic_uint begun;    /**< how many threads have */
  atomic_bool has_news; /**< a thread was seen for the first time */
  atomic_bool busy;
};

/** The calling thread opens a region of this run-time for `requested` threads (0: as many as is
 *  usual). @return what its threads are to pass to mai_region_begin(); NULL when they need not come
 *  by, or the run-time is NULL */
struct mai_region *mai_region_open(struct mai_runtime *runtime, unsigned requested);

/**
 * Told of each region when a thread opens it.
 *
 * @param body the compiler's function for the region
 * @param base what that gets: gcc's structure of captured variables; the list of the arguments that
 *   clang's gets
 */
typedef void mai_region_watcher(const void *body, const void *base);

/** Have one more told from now on, of MAI_REGION_WATCHERS. */
void mai_regions_watch(mai_region_watcher *watcher);

/** Set by mai_regions_watch(), the first ones first; NULL: no more. */
#define MAI_REGION_WATCHERS 4
extern _Atomic(mai_region_watcher *) mai_region_watchers[MAI_REGION_WATCHERS]
    __attribute__((visibility("hidden")));

static inline bool mai_regions_are_watched(void) {
  return atomic_load_explicit(&mai_region_watchers[0], memory_order_relaxed);
}

/** The calling thread opens a region. */
static inline void mai_region_seen(const void *body, const void *base) {
  for (unsigned i = 0; i < MAI_REGION_WATCHERS; i++) {
    mai_region_watcher *watcher =
        atomic_load_explicit(&mai_region_watchers[i], memory_order_relaxed);
    if (!watcher)
      return;
    watcher(body, base);
  }
}

/** What the calling thread is to go on with. */
struct mai_part {
  void *body;
  void *data;
};

/** The calling thread begins its part, as thread `thread` of its team. */
struct mai_part mai_region_begin(struct mai_region *region, unsigned thread);

/** The part begins: on the stack of a thread that has been made for teams nothing of
 *  mai_region_begin() is left, and nothing in registers.  Thread 0 has the program's own stack,
 * which may be a small one, and has been used. */
void mai_region_leave_nothing(unsigned thread);

#endif /* MAI_REGIONS_H */
