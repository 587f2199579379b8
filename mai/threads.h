/*===-- threads.h - the thread map and how it is applied --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * On which CPU each OpenMP thread runs.  The map is known before any thread is: from
 * MAI_MAP_FILE, else compact over the CPUs that the process may use.  Threads are pinned to it when
 * they first enter a parallel region, under libgomp and libomp alike.
 */
#ifndef MAI_THREADS_H
#define MAI_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "numarch.h"
#include "openmp.h"
#include "settled.h"

/** What is known of one thread of the top-level team. */
struct mai_thread_state {
  bool seen;         /**< has entered a parallel region */
  bool pinned;       /**< MAi has pinned it to `cpu` */
  uint32_t cpu;      /**< OS index of the CPU: the map's where there is one, else where it was last
                          seen; NUMARCH_NONE when neither is known */
  uint32_t last_cpu; /**< OS index of the CPU on which it was last seen entering a region;
                          NUMARCH_NONE before that */
};

/**
 * Make the thread map of this process.  Called once, by mai_init().
 *
 * @param machine what this process may use; must outlive the library's use
 * @param watch_only pin nothing, only note where threads are seen
 * @return 0, or -1 with errno ENOMEM
 */
int mai_threads_init(const numarch_t *machine, bool watch_only);

/** The size of a top-level team that the program has not set otherwise (omp_get_max_threads()); at
 *  least 1. */
unsigned mai_threads_team_size(void);

/** The program's teams have so many threads from now on: a mapping that depends on it is made anew.
 *  Called by the program's first thread, outside of regions. @return 0, or -1 with errno ENOMEM */
int mai_threads_set_team_size(unsigned size);

/** Whether MAi has started and cares about teams. */
bool mai_threads_follow(void);

/** Whether the run-time binds threads, by the user's settings. */
bool mai_threads_are_bound_by_user(void);

/** Logical index of the node on which OpenMP thread `thread` runs; NUMARCH_NONE when not known
 * (nothing pins it). */
uint32_t mai_threads_node(unsigned thread);

/** How many threads mai_threads_state() knows of. */
unsigned mai_threads_known(void);

/** The state of one thread; false when `thread` >= mai_threads_known(). */
bool mai_threads_state(unsigned thread, struct mai_thread_state *state);

/** What decided the mapping, for reports: "map file F", "compact", "OMP_PROC_BIND=close" (what the
 *  user has set), "not pinned". */
const char *mai_threads_origin(void);

/* What the hooks call. */

/** The calling thread opens a region of this run-time for `requested` threads (0: as many as is
 *  usual), not for a settled team. @return what its threads are to tell mai_threads_enter() */
struct mai_opening mai_threads_open(const struct mai_openmp *openmp, unsigned requested);

/** The calling thread begins its part, as thread `thread` of its team: keep it where it belongs. */
void mai_threads_enter(const struct mai_openmp *openmp, unsigned thread,
                       const struct mai_opening *opening);

/** Keep the calling thread on the CPUs of a node (logical index), if MAi pins. */
void mai_threads_keep_on_node(uint32_t node);

/** How many threads of a default team belong on a node (logical index); at least 1. */
unsigned mai_threads_on_node(uint32_t node);

#endif /* MAI_THREADS_H */
