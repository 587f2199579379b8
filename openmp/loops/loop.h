/*===-- loop.h - the pieces of one loop, and who takes which -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The pieces but the last are divided among the threads in order, as schedule(static) divides
 * iterations: each has a contiguous *part*.  A thread takes the pieces of its own part in ascending
 * order, and then the last ones of others' parts, one by one, of the nearest thread first.
 *
 * A piece never goes into another part.  So a part that is used up stays so, and a thread that
 * finds all parts used up knows that no piece is left but the last one of the loop.  That is the
 * last of the thread that gets it, too: gcc's programs have each thread see by the number behind
 * its last iteration whether it is the one for lastprivate.
 *
 * The lowest iteration that is not done is always run by a thread, or the next of its part: threads
 * whose iterations wait for lower ones get on, provided that all threads of the team come to the
 * loop.
 */
#ifndef MAI_LOOP_H
#define MAI_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A loop as the compiler passes it: numbers of a signed one wrap around. */
struct mai_loop_shape {
  uint64_t start;
  uint64_t end;
  uint64_t stride; /**< from a piece to the next */
  uint64_t pieces; /**< at most MAI_MOST_PIECES */
};

#define MAI_MOST_PIECES (UINT64_C(1) << 31)

/** How many pieces of so many iterations a loop has. */
static inline uint64_t mai_loop_pieces(uint64_t iterations, uint64_t piece) {
  return iterations / piece + (iterations % piece != 0);
}

/** The iterations of a small piece of a loop whose threads have parts of their own. */
uint64_t mai_loop_small_piece(uint64_t iterations, unsigned threads);

/** Of two threads of a team; any unit. */
typedef unsigned mai_loop_distance_t(unsigned thread, unsigned other);

/** Where nobody knows where threads are, those are near that have near numbers. */
mai_loop_distance_t mai_loop_distance_by_number;

/** What has been taken of a part: from its beginning, and from its end.  A number may be too large,
 *  by those that found the part used up. */
struct mai_loop_part {
  _Alignas(128) _Atomic uint64_t taken;
};

struct mai_loop {
  struct mai_loop_shape shape;
  mai_loop_distance_t *distance;
  unsigned room;    /**< for how many threads it has parts */
  unsigned slot;    /**< where it is kept */
  atomic_uint left; /**< the threads that need it no more */
  atomic_bool ends; /**< its last piece is taken */
  bool patient;     /**< threads steal only from those that do not get on */
  struct mai_loop_part parts[];
};

/** What a thread knows of the loop in which it is. */
struct mai_loop_visitor {
  struct mai_loop *loop;
  unsigned thread;
  unsigned threads; /**< of the team */
  unsigned parts;
  unsigned from;        /**< whose part it takes pieces of; `parts`: of none's */
  uint64_t first;       /**< piece of that part */
  uint64_t count;       /**< of its pieces */
  bool waited;          /**< for that part's own thread, if the loop is patient */
  bool pauses;          /**< the thread has opened a region since it took a piece */
  const void *run_time; /**< whose loop it is */
};

/** New zeroed memory, aligned for every type of these; NULL when there is none. */
void *mai_loop_memory(size_t bytes);
void mai_loop_memory_free(void *memory);

/** A loop for up to `room` threads, of which nothing is taken; NULL when there is no memory. */
struct mai_loop *mai_loop_new(unsigned room);
void mai_loop_delete(struct mai_loop *loop);

/** Thread `thread` of a team of `threads` comes to a loop. */
void mai_loop_visit(struct mai_loop_visitor *visitor, struct mai_loop *loop, unsigned thread,
                    unsigned threads);

/** For mai_loop_take(): the thread's part is used up, or it has been stealing. */
bool mai_loop_take_elsewhere(struct mai_loop_visitor *visitor, uint64_t *piece);

/** Take a piece. @return whether there was one */
static inline bool mai_loop_take(struct mai_loop_visitor *visitor, uint64_t *piece) {
  if (visitor->from != visitor->thread)
    return mai_loop_take_elsewhere(visitor, piece);
  uint64_t taken = atomic_fetch_add_explicit(&visitor->loop->parts[visitor->from].taken, 1,
                                             memory_order_relaxed);
  uint64_t begun = (uint32_t)taken;
  *piece = visitor->first + begun;
  return begun + (taken >> 32) < visitor->count || mai_loop_take_elsewhere(visitor, piece);
}

/** The numbers of a piece: the first one, and the one behind the last. */
static inline void mai_loop_numbers(const struct mai_loop *loop, uint64_t piece, uint64_t *start,
                                    uint64_t *end) {
  *start = loop->shape.start + piece * loop->shape.stride;
  *end = piece + 1 == loop->shape.pieces ? loop->shape.end : *start + loop->shape.stride;
}

/** A thread needs a loop no more. @return whether it was the team's last, and nothing is taken of
 * the loop again */
bool mai_loop_leave(struct mai_loop_visitor *visitor);

#endif /* MAI_LOOP_H */
