/*===-- loop.c - the pieces of one loop, and who takes which -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "loop.h"

#include <limits.h>

#include "runtime/heap.h"
#include "runtime/system.h"

/* Behind as much as aligns it lies the memory, and in front of that where it begins. */
void *mai_loop_memory(size_t bytes) {
  const size_t alignment = _Alignof(struct mai_loop);
  char *begin = minas_alloc(2 * alignment + bytes);
  if (!begin)
    return NULL;
  char *aligned = begin + 2 * alignment - (uintptr_t)begin % alignment;
  ((void **)aligned)[-1] = begin;
  return aligned;
}

void mai_loop_memory_free(void *memory) {
  if (memory)
    minas_free(((void **)memory)[-1]);
}

struct mai_loop *mai_loop_new(unsigned room) {
  struct mai_loop *loop =
      mai_loop_memory(sizeof(struct mai_loop) + room * sizeof(struct mai_loop_part));
  if (loop)
    loop->room = room;
  return loop;
}

void mai_loop_delete(struct mai_loop *loop) { mai_loop_memory_free(loop); }

/*===-- Parts --------------------------------------------------------------===*/

uint64_t mai_loop_small_piece(uint64_t iterations, unsigned threads) {
  enum { A_THREAD = 64 };
  return mai_loop_pieces(iterations, (uint64_t)A_THREAD * threads);
}

/* Of all parts. */
static uint64_t pieces_of_all(const struct mai_loop_visitor *visitor) {
  return visitor->loop->shape.pieces - 1;
}

static uint64_t pieces_of(const struct mai_loop_visitor *visitor, unsigned part) {
  uint64_t pieces = pieces_of_all(visitor);
  return pieces / visitor->parts + (part < pieces % visitor->parts);
}

static uint64_t first_of(const struct mai_loop_visitor *visitor, unsigned part) {
  uint64_t pieces = pieces_of_all(visitor);
  uint64_t longer = pieces % visitor->parts;
  return part * (pieces / visitor->parts) + (part < longer ? part : longer);
}

static void turn_to(struct mai_loop_visitor *visitor, unsigned part) {
  visitor->from = part;
  visitor->waited = false;
  visitor->first = part < visitor->parts ? first_of(visitor, part) : 0;
  visitor->count = part < visitor->parts ? pieces_of(visitor, part) : 0;
}

/* A thread for which there was no room has no part, and steals. */
void mai_loop_visit(struct mai_loop_visitor *visitor, struct mai_loop *loop, unsigned thread,
                    unsigned threads) {
  visitor->loop = loop;
  visitor->pauses = false;
  visitor->thread = thread;
  visitor->threads = threads;
  visitor->parts = threads < loop->room ? threads : loop->room;
  turn_to(visitor, thread < visitor->parts ? thread : visitor->parts);
}

/*===-- Stealing -----------------------------------------------------------===*/

unsigned mai_loop_distance_by_number(unsigned thread, unsigned other) {
  return thread < other ? other - thread : thread - other;
}

static uint64_t pieces_left(const struct mai_loop_visitor *visitor, unsigned part) {
  uint64_t taken = atomic_load_explicit(&visitor->loop->parts[part].taken, memory_order_relaxed);
  uint64_t gone = (uint32_t)taken + (taken >> 32);
  uint64_t count = pieces_of(visitor, part);
  return gone < count ? count - gone : 0;
}

/* The nearest thread's; of equally near ones that which has most to do. */
static unsigned find_part(const struct mai_loop_visitor *visitor) {
  unsigned nearest = visitor->parts;
  unsigned least = UINT_MAX;
  uint64_t most = 0;
  for (unsigned part = 0; part < visitor->parts; part++) {
    uint64_t left = pieces_left(visitor, part);
    unsigned distance = left ? visitor->loop->distance(visitor->thread, part) : UINT_MAX;
    if (left &&
        (nearest == visitor->parts || distance < least || (distance == least && left > most))) {
      nearest = part;
      least = distance;
      most = left;
    }
  }
  return nearest;
}

static bool steal_from_part(const struct mai_loop_visitor *visitor, uint64_t *piece) {
  const uint64_t one_from_the_end = UINT64_C(1) << 32;
  uint64_t taken = atomic_fetch_add_explicit(&visitor->loop->parts[visitor->from].taken,
                                             one_from_the_end, memory_order_relaxed);
  uint64_t stolen = taken >> 32;
  *piece = visitor->first + visitor->count - 1 - stolen;
  return (uint32_t)taken + stolen < visitor->count;
}

/* As long as pieces are taken of the part, by naps that get longer: the threads may have to share
   CPUs.  Once it has not got on for most of a second, nobody waits for it again. */
static void wait_while_others_take(struct mai_loop_visitor *visitor) {
  enum { SHORTEST = 20, LONGEST = 400000 }; /* microseconds */
  uint64_t left = pieces_left(visitor, visitor->from);
  for (long time = SHORTEST; left && time < LONGEST; time *= 2) {
    minas_sleep(time);
    uint64_t now = pieces_left(visitor, visitor->from);
    if (now < left)
      time = SHORTEST;
    left = now;
  }
  visitor->waited = true;
}

static bool turn_to_next(struct mai_loop_visitor *visitor) {
  turn_to(visitor, find_part(visitor));
  return visitor->from < visitor->parts;
}

static bool steal(struct mai_loop_visitor *visitor, uint64_t *piece) {
  bool found =
      visitor->from != visitor->thread ? visitor->from < visitor->parts : turn_to_next(visitor);
  while (found) {
    if (visitor->loop->patient && !visitor->waited)
      wait_while_others_take(visitor);
    if (steal_from_part(visitor, piece))
      return true;
    found = turn_to_next(visitor);
  }
  return false;
}

static bool take_last(struct mai_loop *loop, uint64_t *piece) {
  *piece = loop->shape.pieces - 1;
  return !atomic_load_explicit(&loop->ends, memory_order_relaxed) &&
         !atomic_exchange_explicit(&loop->ends, true, memory_order_relaxed);
}

bool mai_loop_take_elsewhere(struct mai_loop_visitor *visitor, uint64_t *piece) {
  return steal(visitor, piece) || take_last(visitor->loop, piece);
}

/*===-- The end ------------------------------------------------------------===*/

bool mai_loop_leave(struct mai_loop_visitor *visitor) {
  struct mai_loop *loop = visitor->loop;
  visitor->loop = NULL;
  if (atomic_fetch_add_explicit(&loop->left, 1, memory_order_acq_rel) + 1 < visitor->threads)
    return false;
  for (unsigned part = 0; part < visitor->parts; part++)
    atomic_store_explicit(&loop->parts[part].taken, 0, memory_order_relaxed);
  atomic_store_explicit(&loop->left, 0, memory_order_relaxed);
  atomic_store_explicit(&loop->ends, false, memory_order_relaxed);
  return true;
}
