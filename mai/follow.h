/*===-- follow.h - arrays follow the program's team --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Which thread works on which part of an array depends on the size of the team, and that is what
 * the program says when it runs: by omp_set_num_threads(), or by num_threads clauses.
 */
#ifndef MAI_FOLLOW_H
#define MAI_FOLLOW_H

#include "openmp.h"

/** A region of this run-time is about to begin in the calling thread.
 *  @param requested what a num_threads clause says; 0: there is none */
void mai_follow_region(const struct mai_openmp *openmp, unsigned requested);

/** The calling thread has set the size of the default team. */
void mai_follow_setting(void);

#endif /* MAI_FOLLOW_H */
