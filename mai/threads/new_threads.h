/*===-- new_threads.h - threads that a run-time makes for a team -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Who opens a team knows where its threads belong before they are made: they begin there, and find
 * their memory there.  A run-time keeps the threads of its last team, and makes the others in the
 * order of their numbers.  Where one does otherwise, threads are pinned as they enter the region
 * like all others, and their memory is moved.
 */
#ifndef MAI_NEW_THREADS_H
#define MAI_NEW_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "created.h"
#include "openmp/routes.h"

/** Where a thread belongs (OS indices). */
struct mai_new_place {
  uint32_t cpu, node;
};

/** The calling thread opens a team of so many threads that stands alone and is pinned.
 *  @param find tells where the thread of an entry of the map belongs; false: not on one CPU */
void mai_new_threads_expect(const struct mai_runtime *runtime, unsigned team_size,
                            bool (*find)(unsigned entry, struct mai_new_place *place));

/** The calling thread opens a team of which nothing is known, or is in that one. */
void mai_new_threads_expect_none(void);

/** The calling thread is in the team that it has opened. */
void mai_new_threads_made(const struct mai_runtime *runtime);

/** @return how many threads the run-time has kept of the last team that the calling thread opened,
 * and with it these are: 1 where nothing is known of one */
unsigned mai_new_threads_kept(const struct mai_openmp *openmp);

/** The calling thread creates a thread, which begins where it belongs if it is one of those that
 * are expected.  Until the calling thread is in its team it may run there, too, and what it touches
 * first may lie there.
 *  @param created what it is to begin with, which changes
 *  @return whether the calling thread has the mask that it is to begin with */
bool mai_new_thread_prepare(struct mai_created *created);

#endif /* MAI_NEW_THREADS_H */
