/*===-- gomp_loops.c - libgomp's loops whose pieces are given out here *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "gomp_loops.h"

#include <stddef.h>

/* @return whether a loop under schedule(runtime) has one of the other schedules now */
static bool resolve(struct mai_gomp_loop *loop, const struct mai_openmp *openmp) {
  enum { DYNAMIC = 2, GUIDED = 3 }; /* omp_sched_t; monotonic ones have a flag besides */
  int kind = 0;
  int chunk = 0;
  openmp->get_schedule(&kind, &chunk);
  loop->schedule = kind == GUIDED ? MAI_LOOP_GUIDED : MAI_LOOP_DYNAMIC;
  loop->chunk = chunk > 0 ? (uint64_t)chunk : 1;
  return kind == DYNAMIC || kind == GUIDED;
}

static uint64_t count(const struct mai_gomp_loop *loop) {
  if (loop->direction == MAI_LOOP_SIGNED)
    return mai_gomp_count_signed(loop->start, loop->end, loop->step);
  return mai_gomp_count_unsigned(loop->direction == MAI_LOOP_UP, loop->start, loop->end,
                                 loop->step);
}

/* Guided pieces get smaller so that threads end together; where a thread has a part of its own,
   equal ones do that as well, if they are a small part of it. */
static uint64_t piece_of(const struct mai_gomp_loop *loop, uint64_t iterations,
                         const struct mai_loop_way *way, unsigned threads) {
  uint64_t small = mai_loop_small_piece(iterations, threads);
  bool are_too_few = mai_loops_has_too_few_pieces(way, iterations, loop->chunk, threads);
  bool is_guided = loop->schedule == MAI_LOOP_GUIDED && small > loop->chunk;
  return are_too_few || is_guided ? small : loop->chunk;
}

static struct mai_loop *name(struct mai_gomp_loop *loop, const struct mai_loop_way *way,
                             unsigned threads) {
  uint64_t iterations = count(loop);
  bool is_named = mai_loops_may_name(loop->start); /* by another library, which calls this one */
  if (is_named || threads < 2 || !iterations || !loop->chunk || loop->chunk > MAI_LONGEST_PIECE)
    return NULL;
  uint64_t piece = piece_of(loop, iterations, way, threads);
  uint64_t pieces = mai_loop_pieces(iterations, piece);
  struct mai_loop *named = pieces <= MAI_MOST_PIECES ? mai_loops_take(threads) : NULL;
  if (!named)
    return NULL;
  const struct mai_loop_shape shape = {loop->start, loop->end, piece * loop->step, pieces};
  mai_loops_describe(named, &shape, way, threads);
  struct mai_loop_name range = mai_loops_name(named);
  if (loop->direction == MAI_LOOP_DOWN)
    loop->direction = MAI_LOOP_UP;
  loop->start = range.start;
  loop->end = range.end;
  loop->step = 1;
  return named;
}

/* The calling thread is in a loop of another run-time's, around this one. */
static bool is_in_anothers(const struct mai_loop_way *way) {
  return mai_loop_own.loop && mai_loop_own.run_time != way->openmp;
}

/* Cancelled loops are left before they end.  LLVM's run-time, which has functions of libgomp's
   names, does not take the numbers of the thread that comes first. */
static bool is_ours(struct mai_gomp_loop *loop, const struct mai_loop_way *way, int level) {
  const struct mai_openmp *openmp = way->openmp;
  return sizeof(long) == sizeof(uint64_t) && way->distance && openmp && !openmp->is_llvm &&
         openmp->get_level() == level && !is_in_anothers(way) &&
         !(openmp->get_cancellation && openmp->get_cancellation()) &&
         (loop->schedule != MAI_LOOP_RUNTIME || resolve(loop, openmp));
}

struct mai_loop *mai_gomp_loop_start(struct mai_gomp_loop *loop, const struct mai_loop_way *way) {
  mai_loops_pause();
  if (!is_ours(loop, way, 1))
    return NULL;
  return name(loop, way, (unsigned)way->openmp->get_num_threads());
}

/* In code for another device, which libgomp runs as if it were the program's first thread, a loop
   inside this one could not be told from it: the thread will ask for its loop again. */
void mai_gomp_loops_open_region(const struct mai_openmp *openmp) {
  mai_loops_pause();
  if (mai_loop_own.loop && mai_loop_own.run_time == openmp && openmp->get_level() == 0)
    mai_loop_own.loop = NULL;
}

/* @return whether a region is a loop whose pieces may be given out here */
static bool has_schedule(enum mai_function function, enum mai_loop_schedule *schedule) {
  switch (function) {
  case MAI_FN_GOMP_parallel_loop_nonmonotonic_dynamic:
    *schedule = MAI_LOOP_DYNAMIC;
    return true;
  case MAI_FN_GOMP_parallel_loop_nonmonotonic_guided:
    *schedule = MAI_LOOP_GUIDED;
    return true;
  case MAI_FN_GOMP_parallel_loop_nonmonotonic_runtime:
  case MAI_FN_GOMP_parallel_loop_maybe_nonmonotonic_runtime:
    *schedule = MAI_LOOP_RUNTIME;
    return true;
  default:
    return false;
  }
}

void mai_gomp_loop_open(struct mai_gomp_numbers *numbers, uint64_t chunk,
                        enum mai_function function, const struct mai_loop_way *way,
                        unsigned threads) {
  struct mai_gomp_loop loop = {.direction = MAI_LOOP_SIGNED,
                               .start = numbers->start,
                               .end = numbers->end,
                               .step = numbers->step,
                               .chunk = chunk};
  if (has_schedule(function, &loop.schedule) && is_ours(&loop, way, 0) &&
      name(&loop, way, threads ? threads : (unsigned)way->openmp->get_max_threads()))
    *numbers = (struct mai_gomp_numbers){loop.start, loop.end, loop.step};
}

/* Inner loops are the run-time's. */
bool mai_gomp_loop_resumes(const struct mai_loop_way *way) {
  if (!mai_loop_own.loop || is_in_anothers(way) || way->openmp->get_level() != 1)
    return false;
  mai_loop_own.pauses = false;
  return true;
}

bool mai_gomp_loop_enter(const struct mai_loop_way *way, struct mai_loop *named, bool any,
                         uint64_t *first, uint64_t *last) {
  struct mai_loop *loop = any ? mai_loops_named(*first) : NULL;
  if (named && named != loop)
    mai_loops_give_back(named);
  if (!loop)
    return any;
  mai_loop_visit(&mai_loop_own, loop, (unsigned)way->openmp->get_thread_num(),
                 (unsigned)way->openmp->get_num_threads());
  mai_loop_own.run_time = way->openmp;
  return mai_loops_next(first, last);
}
