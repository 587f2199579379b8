/*===-- team_size.h - the size of the team that arrays are divided for -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Which thread works on which part of an array depends on the size of the team, and that is what
 * the program says when it runs: by omp_set_num_threads(), or by num_threads clauses.
 */
#ifndef MAI_TEAM_SIZE_H
#define MAI_TEAM_SIZE_H

#include "openmp/routes.h"

/** A region of this run-time is about to begin in the calling thread.
 *  @param requested what a num_threads clause says; 0: there is none
 *  @return false when another thread is just telling of a change: the next region is to ask again
 */
bool mai_team_size_claim(struct mai_runtime *runtime, unsigned requested);

/** The calling thread has set the size of its default team, which is not 0. */
void mai_team_size_set(struct mai_runtime *runtime, unsigned size);

/** The size that was set before the library started; 0: none. */
unsigned mai_team_size_said(void);

/** Threads have been seen that the user has bound: it is known now where they are. */
void mai_team_size_places_seen(void);

#endif /* MAI_TEAM_SIZE_H */
