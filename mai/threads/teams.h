/*===-- teams.h - puts the threads of teams where they belong ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A *top-level* team is the outermost one of several threads; teams of one around it do not count.
 * Its threads are pinned to the map's CPUs.  Threads of teams inside it are kept on the node of the
 * top-level thread they work for.  A team of one that stands alone is pinned only if it is the
 * program's first thread: other threads that run such regions side by side must not end up on one
 * CPU.
 *
 * Each run-time has teams of its own.  Where the map has entries for the threads of all, each gets
 * its own; otherwise they share.
 */
#ifndef MAI_TEAMS_H
#define MAI_TEAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "openmp/routes.h"
#include "team_cache.h"

/** The calling thread opens a region of this run-time for `requested` threads (0: as many as is
 *  usual), not for a cached team.
 *  @param opening receives what its threads are to tell mai_team_enter()
 *  @return whether they are to come by */
bool mai_team_open(struct mai_runtime *runtime, unsigned requested, struct mai_opening *opening);

/** The calling thread begins its part, as thread `thread` of its team: keep it where it belongs.
 *  @return whether it was seen for the first time */
bool mai_team_enter(struct mai_runtime *runtime, unsigned thread,
                    const struct mai_opening *opening);

/** The calling thread calls a run-time that may start now, and count the thread's CPUs. */
void mai_team_meet(const struct mai_runtime *runtime);

/** Whether arrays follow the teams of this run-time: it is the one that the program has called
 *  first. */
bool mai_team_leads(struct mai_runtime *runtime);

/** Pin the calling thread to a CPU (OS index), until it enters a region where another is its own.
 *  @return 0, or -1 with errno, which is said to the user */
int mai_team_pin(uint32_t cpu);

/** Keep the calling thread on the CPUs of a node (logical index), if MAi pins. */
void mai_team_keep_on_node(uint32_t node);

#endif /* MAI_TEAMS_H */
