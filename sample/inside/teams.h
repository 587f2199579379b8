/*===-- teams.h - tells mai-trace record of threads' numbers -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Threads are known by their numbers in the outermost team, those of teams inside by that of who
 * opened these: as in traced programs.
 */
#ifndef SAMPLE_TEAMS_H
#define SAMPLE_TEAMS_H

#include "openmp/routes.h"

/** Where a region that is opened goes. */
struct sample_next_region {
  void *function;
  const struct mai_openmp *openmp; /**< NULL: nobody needs to know its threads */
};

/** @param caller the return address of who opens it */
struct sample_next_region sample_next_region(const void *caller, enum mai_function function);

/** A thread begins with its part of a region. */
void sample_note_thread(const struct mai_openmp *openmp);

#endif /* SAMPLE_TEAMS_H */
