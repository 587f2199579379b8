/*===-- team_cache.h - teams whose threads are where they belong ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An empty region takes some 400 ns, and to pass its threads by mai_region_begin() a tenth of
 * that. But run-times keep a thread's last top-level team: opened again with the same size, it has
 * the same threads under the same numbers, where they were put before.  So such a region need not
 * come by, unless since then a thread has been made, another region of the same run-time has come
 * by, whose team may have changed threads with this one, or the map is another.
 */
#ifndef MAI_TEAM_CACHE_H
#define MAI_TEAM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "binding.h"
#include "openmp/routes.h"

/** Which changes a team has seen. */
struct mai_changes {
  unsigned long of_runtime;
  unsigned long of_all;
};

/** What the opener of a region tells the region's threads. */
struct mai_opening {
  uint32_t node;            /**< its mai_binding_node() */
  struct mai_binding outer; /**< where the opener belongs as a thread of another run-time's region,
                             in which it is; else MAI_ANYWHERE */
  bool pinned;              /**< its threads are to be pinned, else only noted */
  unsigned requested;       /**< by the clause num_threads; 0: as many threads as is usual */
  unsigned team_size;       /**< that the team should have; 0 where the run-time chooses it */
  bool cacheable;           /**< the team may be cached */
  struct mai_changes changes;
};

/** Whether the calling thread, which opens a region for `requested` threads, gets a cached team.
 */
bool mai_team_is_cached(const struct mai_runtime *runtime, unsigned requested);

/** Thread 0 of a team, which the run-time has filled and all of whose threads are pinned as they
 *  enter, is in the region: the team is cached if it is a top-level one and as large as it should
 *  be. */
void mai_team_cache_add(const struct mai_runtime *runtime, const struct mai_opening *opening);

/** The calling thread opens a top-level region, and nothing is to be done for its threads. */
void mai_team_cache_add_unseen(const struct mai_runtime *runtime,
                               const struct mai_opening *opening);

/** No team of the calling thread is cached: its size may be another. */
void mai_team_cache_forget(void);

/** No team of the run-time is cached: a region is opened that comes by, or threads have been
 *  ended. @return what the teams that are opened now have seen */
struct mai_changes mai_team_cache_open(struct mai_runtime *runtime);

/** No team is cached: the map is another. */
void mai_team_cache_clear(void);

/** No team is cached but those that mai_team_cache_add() will be called for. */
void mai_team_cache_thread_made(void);

#endif /* MAI_TEAM_CACHE_H */
