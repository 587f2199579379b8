/*===-- kmpc_loops.c - parts of their own for LLVM's threads ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "kmpc_loops.h"

#include <stddef.h>

#include "openmp/openmp.h"
#include "runtime/system.h"

/* Loops of a region that its threads can be in at once, and the most threads of a team: the loops
   of larger ones are the run-time's. */
enum { AT_ONCE = 8, THREADS = 256 };

/* What a place is: the number of the loop, and this. */
enum { FREE, BEGUN, OPEN, STATES };

struct place {
  _Alignas(64) _Atomic uint64_t state;
  struct mai_loop *loop;
};

/* What a thread knows of them.  The library has little room in each thread of a process. */
struct member {
  _Alignas(128) struct mai_kmpc_loops *loops;
  uint64_t come; /* to so many of them */
  uint64_t step; /* of the loop in which it is */
  struct mai_loop_visitor visitor;
};

struct mai_kmpc_loops {
  struct place places[AT_ONCE];
  struct member members[THREADS];
};

/* In the thread's outermost region; NULL: that has no loops here. */
static _Thread_local struct member *own __attribute__((tls_model("initial-exec")));

/*===-- The loops of a region -----------------------------------------------===*/

static uint64_t state_of(uint64_t number, unsigned what) { return number * STATES + what; }

static void delete_loops(struct mai_kmpc_loops *loops) {
  for (unsigned i = 0; i < AT_ONCE; i++)
    mai_loop_delete(loops->places[i].loop);
  mai_loop_memory_free(loops);
}

static struct mai_kmpc_loops *new_loops(void) {
  struct mai_kmpc_loops *loops = mai_loop_memory(sizeof *loops);
  if (!loops)
    return NULL;
  bool all = true;
  for (unsigned i = 0; i < AT_ONCE; i++) {
    loops->places[i].loop = mai_loop_new(THREADS);
    all &= loops->places[i].loop != NULL;
  }
  if (all)
    return loops;
  delete_loops(loops);
  return NULL;
}

/* Regions come one after the other: they use the same. */
static struct mai_kmpc_loops *_Atomic spare;

struct mai_kmpc_loops *mai_kmpc_loops_open(const struct mai_loop_way *way) {
  const struct mai_openmp *openmp = way->openmp;
  if (!way->distance || !openmp || !openmp->is_llvm || openmp->get_level() != 0 ||
      (openmp->get_cancellation && openmp->get_cancellation()))
    return NULL;
  struct mai_kmpc_loops *loops = atomic_exchange(&spare, NULL);
  if (!loops)
    loops = new_loops();
  for (unsigned i = 0; loops && i < AT_ONCE; i++)
    atomic_store_explicit(&loops->places[i].state, state_of(i, FREE), memory_order_relaxed);
  return loops;
}

/* Loops that the program has jumped out of are not. */
static bool are_free(const struct mai_kmpc_loops *loops) {
  bool all = true;
  for (unsigned i = 0; i < AT_ONCE; i++)
    all &= atomic_load_explicit(&loops->places[i].state, memory_order_relaxed) % STATES == FREE;
  return all;
}

void mai_kmpc_loops_close(struct mai_kmpc_loops *loops) {
  struct mai_kmpc_loops *none = NULL;
  if (!loops)
    return;
  if (!are_free(loops) || !atomic_compare_exchange_strong(&spare, &none, loops))
    delete_loops(loops);
}

void mai_kmpc_loops_join(struct mai_kmpc_loops *loops, const struct mai_openmp *openmp) {
  if (openmp->get_level() != 1)
    return;
  const int thread = openmp->get_thread_num();
  own = loops && thread < THREADS ? &loops->members[thread] : NULL;
  if (own)
    *own = (struct member){.loops = loops, .visitor = {.run_time = openmp}};
}

void mai_kmpc_loops_leave(struct mai_kmpc_loops *loops) {
  if (loops)
    own = NULL;
}

/*===-- A loop ---------------------------------------------------------------===*/

static uint64_t count(const struct mai_kmpc_loop *loop) {
  bool goes_up = (int64_t)loop->step > 0;
  uint64_t low = goes_up ? loop->first : loop->last;
  uint64_t high = goes_up ? loop->last : loop->first;
  uint64_t step = goes_up ? loop->step : -loop->step;
  bool is_empty = loop->is_signed ? (int64_t)low > (int64_t)high : low > high;
  return is_empty || !step ? 0 : (high - low) / step + 1;
}

/* Other schedules are the run-time's, and monotonic loops, too. */
static bool is_dynamic(int32_t schedule) {
  const int32_t dynamic_chunked = 35, nonmonotonic = 1 << 30; /* sched_type */
  return schedule == (nonmonotonic | dynamic_chunked);
}

static bool is_own_region(const struct mai_openmp *openmp) {
  return own && own->visitor.run_time == openmp && openmp->get_level() == 1;
}

/* @return whether the loop has pieces that can be given out */
static bool cut(const struct mai_kmpc_loop *loop, const struct mai_loop_way *way, unsigned threads,
                struct mai_loop_shape *shape) {
  uint64_t iterations = count(loop);
  uint64_t piece = loop->chunk ? loop->chunk : 1;
  if (!iterations || threads < 2 || threads > THREADS)
    return false;
  if (mai_loops_has_too_few_pieces(way, iterations, piece, threads))
    piece = mai_loop_small_piece(iterations, threads);
  *shape = (struct mai_loop_shape){loop->first, loop->first + iterations * loop->step,
                                   piece * loop->step, mai_loop_pieces(iterations, piece)};
  return shape->pieces <= MAI_MOST_PIECES;
}

enum { NAP = 20 }; /* microseconds */

/* The thread that comes first says what the loop is.  Until then, and until the last one has left
   the loop that was here, others wait. */
static struct mai_loop *come_to(struct place *place, uint64_t number,
                                const struct mai_loop_shape *shape, const struct mai_loop_way *way,
                                unsigned threads) {
  for (;; minas_sleep(NAP)) {
    uint64_t state = atomic_load_explicit(&place->state, memory_order_acquire);
    if (state == state_of(number, OPEN))
      return place->loop;
    if (state != state_of(number, FREE) ||
        !atomic_compare_exchange_strong(&place->state, &state, state_of(number, BEGUN)))
      continue;
    mai_loops_describe(place->loop, shape, way, threads);
    atomic_store_explicit(&place->state, state_of(number, OPEN), memory_order_release);
    return place->loop;
  }
}

bool mai_kmpc_loop_start(const struct mai_kmpc_loop *loop, const struct mai_loop_way *way) {
  struct mai_loop_shape shape;
  const struct mai_openmp *openmp = way->openmp;
  if (!openmp || !is_own_region(openmp) || !is_dynamic(loop->schedule))
    return false;
  const unsigned threads = (unsigned)openmp->get_num_threads();
  if (!cut(loop, way, threads, &shape))
    return false;
  struct place *place = &own->loops->places[own->come % AT_ONCE];
  mai_loop_visit(&own->visitor, come_to(place, own->come, &shape, way, threads),
                 (unsigned)openmp->get_thread_num(), threads);
  own->come++;
  own->step = loop->step;
  return true;
}

bool mai_kmpc_loop_goes_on(void) {
  return own && own->visitor.loop && is_own_region(own->visitor.run_time);
}

static void leave(void) {
  uint64_t number = own->come - 1;
  if (mai_loop_leave(&own->visitor))
    atomic_store_explicit(&own->loops->places[number % AT_ONCE].state,
                          state_of(number + AT_ONCE, FREE), memory_order_release);
}

bool mai_kmpc_loop_next(struct mai_kmpc_piece *piece) {
  const struct mai_loop *loop = own->visitor.loop;
  uint64_t number;
  uint64_t end;
  if (!mai_loop_take(&own->visitor, &number)) {
    leave();
    return false;
  }
  mai_loop_numbers(loop, number, &piece->first, &end);
  piece->last = end - own->step;
  piece->step = own->step;
  piece->is_last = number + 1 == loop->shape.pieces;
  return true;
}
