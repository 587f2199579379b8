/*===-- gomp_loops.h - libgomp's loops whose pieces are given out here *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Loops under schedule(dynamic) and schedule(guided), and under schedule(runtime) where
 * OMP_SCHEDULE asks for these.  `monotonic` ones are the run-time's.  LLVM's run-time gives threads
 * parts of their own by itself.
 */
#ifndef MAI_GOMP_LOOPS_H
#define MAI_GOMP_LOOPS_H

#include "loops.h"
#include "openmp/gomp_iterations.h"
#include "openmp/routes.h"

/** A loop as the program passes it. */
struct mai_gomp_loop {
  enum mai_loop_schedule { MAI_LOOP_DYNAMIC, MAI_LOOP_GUIDED, MAI_LOOP_RUNTIME } schedule;
  enum mai_loop_direction { MAI_LOOP_SIGNED, MAI_LOOP_UP, MAI_LOOP_DOWN } direction;
  uint64_t start;
  uint64_t end;
  uint64_t step;
  uint64_t chunk; /**< not of a runtime one */
};

/** The calling thread comes to a loop: replace its numbers by those that name it.
 *  @return what they name, or NULL: the loop is as it was */
struct mai_loop *mai_gomp_loop_start(struct mai_gomp_loop *loop, const struct mai_loop_way *way);

/** The calling thread opens a region. */
void mai_gomp_loops_open_region(const struct mai_openmp *openmp);

/** The calling thread opens a region for `threads` (0: as many as is usual) that is a loop, by a
 *  function: replace its numbers where they are to name it.
 *  @param chunk what the clause says, where it says a size */
void mai_gomp_loop_open(struct mai_gomp_numbers *numbers, uint64_t chunk,
                        enum mai_function function, const struct mai_loop_way *way,
                        unsigned threads);

/** Whether the calling thread, which wants a further piece, is in its loop again after it has
 * opened a region. */
bool mai_gomp_loop_resumes(const struct mai_loop_way *way);

/** The run-time has answered what pieces the calling thread gets of the loop that it is in.
 *  @param named the loop that the thread has named for it, or NULL
 *  @param any whether the run-time has any: from *first to *last
 *  @return whether the thread gets a piece: then from *first to *last */
bool mai_gomp_loop_enter(const struct mai_loop_way *way, struct mai_loop *named, bool any,
                         uint64_t *first, uint64_t *last);

#endif /* MAI_GOMP_LOOPS_H */
