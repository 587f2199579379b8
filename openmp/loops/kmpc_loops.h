/*===-- kmpc_loops.h - parts of their own for LLVM's threads ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * LLVM's run-time gives each thread a part of a loop under schedule(dynamic), but who comes first
 * takes what others have left, and all of a loop that has fewer pieces than threads.  Programs that
 * are watched while their threads share few CPUs have such loops given out here.
 *
 * All threads of a region come to its loops in one order: so a loop is known by the region and its
 * number there.  A thread that is ahead by as many loops as a region can have at once waits, as it
 * does in the run-time.
 */
#ifndef MAI_KMPC_LOOPS_H
#define MAI_KMPC_LOOPS_H

#include "loops.h"

/** The loops of one region. */
struct mai_kmpc_loops;

/** For a region that the calling thread opens; NULL: its loops are the run-time's. */
struct mai_kmpc_loops *mai_kmpc_loops_open(const struct mai_loop_way *way);

/** All threads have left the region.  Here and below, `loops` may be NULL. */
void mai_kmpc_loops_close(struct mai_kmpc_loops *loops);

/** The calling thread begins with its part of a region. */
void mai_kmpc_loops_join(struct mai_kmpc_loops *loops, const struct mai_openmp *openmp);

/** It has done that part. */
void mai_kmpc_loops_leave(struct mai_kmpc_loops *loops);

/** A loop as the program passes it. */
struct mai_kmpc_loop {
  uint64_t first;
  uint64_t last;  /**< the last number is this one, or in front of it */
  uint64_t step;  /**< as a signed number */
  uint64_t chunk; /**< 0: 1 */
  int32_t schedule;
  bool is_signed;
};

/** The calling thread comes to a loop. @return whether it is given out here: all threads of the
 *  region find the same */
bool mai_kmpc_loop_start(const struct mai_kmpc_loop *loop, const struct mai_loop_way *way);

/** Whether the calling thread, which wants a piece, is in a loop that is given out here. */
bool mai_kmpc_loop_goes_on(void);

struct mai_kmpc_piece {
  uint64_t first;
  uint64_t last;
  uint64_t step;
  bool is_last;
};

/** The next piece of that loop. @return whether there is one; else the thread has left the loop */
bool mai_kmpc_loop_next(struct mai_kmpc_piece *piece);

#endif /* MAI_KMPC_LOOPS_H */
