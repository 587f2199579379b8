/*===-- settled.h - teams whose threads are where they belong ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An empty region takes some 400 ns, and to pass its threads by mai_threads_enter() a tenth of
 * that. But run-times keep a thread's last top-level team: opened again with the same size, it has
 * the same threads under the same numbers, where they were put before.  So such a region need not
 * come by, unless since then a thread has been made, another region has come by, whose team may
 * have changed threads with this one, or the map is another.
 */
#ifndef MAI_SETTLED_H
#define MAI_SETTLED_H

#include <stdbool.h>
#include <stdint.h>

#include "openmp.h"

/** What the opener of a region tells the region's threads. */
struct mai_opening {
  uint32_t home;         /**< its mai_place_home() */
  unsigned requested;    /**< by the clause num_threads; 0: as many threads as is usual */
  unsigned team_size;    /**< that the team should have; 0 where the run-time chooses it */
  unsigned long changes; /**< mai_settled_change(); 0: the team is not to be settled */
};

/** Whether the calling thread, which opens a region for `requested` threads, gets a settled team.
 */
bool mai_settled(unsigned requested);

/** The calling thread goes into the region that it opens, or comes out of it: the regions that it
 *  opens in there are nested ones. */
void mai_settled_go_in(void);
void mai_settled_come_out(void);

/** Thread 0 of a team, which the run-time has filled and all of whose threads are pinned as they
 *  enter, is in the region: the team is settled if it is a top-level one and as large as it should
 *  be. */
void mai_settle(const struct mai_openmp *openmp, const struct mai_opening *opening);

/** The team of the calling thread is not settled: its size may be another. */
void mai_settled_forget(void);

/** No team is settled: a region is opened that comes by, the map is another, or run-times have
 * ended threads. @return a number for this change */
unsigned long mai_settled_change(void);

/** No team is settled but those that mai_settle() will be called for. */
void mai_settled_thread_made(void);

#endif /* MAI_SETTLED_H */
