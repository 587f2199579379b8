/*===-- loops.h - the loops whose pieces are given out here ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * All threads of a team that come to one loop have to find the same struct mai_loop, also where
 * several loops of the team run at once (nowait), or where teams are inside others.  Only the
 * run-time knows which loop a thread is in.  So the run-time tells: instead of the program's
 * numbers it gets a range of numbers that *names* a struct mai_loop, and it is libgomp's way to
 * take those of the thread that comes first.  The number that a thread gets from it then says which
 * loop that is.
 *
 * The run-time has far more of these numbers than threads, so that each thread gets one, however
 * late it comes.  A thread asks for one at the loop's beginning, and then takes pieces without
 * asking.
 *
 * Each thread may decide for itself whether it names a loop: where the first one has not, the
 * others get the program's own numbers.
 */
#ifndef MAI_LOOPS_H
#define MAI_LOOPS_H

#include <stddef.h>

#include "loop.h"

struct mai_openmp;

/** Where a call goes. */
struct mai_loop_way {
  void *next;                      /**< the run-time's function */
  const struct mai_openmp *openmp; /**< of the run-time; NULL: it is not known */
  mai_loop_distance_t *distance;   /**< NULL: all loops are the run-time's */
  unsigned patient_from;           /**< loops of so many threads are patient (struct mai_loop);
                                        0: none are */
  bool all_take_part;              /**< of loops that have fewer pieces than threads, all threads
                                        get smaller ones */
};

/** Whether all threads are to take part in a loop that has fewer pieces. */
static inline bool mai_loops_has_too_few_pieces(const struct mai_loop_way *way, uint64_t iterations,
                                                uint64_t chunk, unsigned threads) {
  return way->all_take_part && mai_loop_pieces(iterations, chunk) < threads;
}

/** Say what a loop is of which nothing is taken yet. */
void mai_loops_describe(struct mai_loop *loop, const struct mai_loop_shape *shape,
                        const struct mai_loop_way *way, unsigned threads);

/** The range of numbers that names a loop, with the step 1. */
struct mai_loop_name {
  uint64_t start;
  uint64_t end;
};

/** The longest pieces that the run-time may be told of; it gives out the names' numbers by as many.
 */
#define MAI_LONGEST_PIECE (UINT64_C(1) << 28)

/** The loop that the calling thread is in; its `loop` is NULL when it is in none of these. */
extern _Thread_local struct mai_loop_visitor mai_loop_own
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** A loop for up to `room` threads, which nobody else uses; NULL when there is none. */
struct mai_loop *mai_loops_take(unsigned room);
void mai_loops_give_back(struct mai_loop *loop);

struct mai_loop_name mai_loops_name(struct mai_loop *loop);

enum { MAI_LOOPS = 4096, MAI_LOOP_NUMBER_BITS = 44 };

/** Numbers that no program counts up to, below the largest signed one. */
#define MAI_FIRST_LOOP_NAME (UINT64_C(0x4d41) << 48)

/** Whether a number is of those that may name a loop. */
static inline bool mai_loops_may_name(uint64_t number) {
  return (number - MAI_FIRST_LOOP_NAME) >> MAI_LOOP_NUMBER_BITS < MAI_LOOPS;
}

/** The loop that a number of the run-time's names; NULL: it is the program's own. */
struct mai_loop *mai_loops_named(uint64_t number);

/** The calling thread opens a region, or comes to a loop: it may be inside its loop. */
static inline void mai_loops_pause(void) { mai_loop_own.pauses = true; }

/** Whether the loop that the calling thread is in is that from which it takes pieces now. */
static inline bool mai_loops_goes_on(void) { return mai_loop_own.loop && !mai_loop_own.pauses; }

/** The next piece of the loop that the calling thread is in. @return whether there is one; else the
 *  thread has left the loop */
static inline bool mai_loops_next(uint64_t *start, uint64_t *end) {
  uint64_t piece;
  struct mai_loop *loop = mai_loop_own.loop;
  if (!mai_loop_take(&mai_loop_own, &piece)) {
    if (mai_loop_leave(&mai_loop_own))
      mai_loops_give_back(loop);
    return false;
  }
  mai_loop_numbers(loop, piece, start, end);
  return true;
}

#endif /* MAI_LOOPS_H */
