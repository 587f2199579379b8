/*===-- gomp_loop_calls.h - the functions by which gcc's programs divide loops *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Defines libgomp's functions that give threads pieces of loops, for a library that stands in front
 * of it.  Included once, by a source that defines before: GOMP_LOOPS_INTERPOSE, which marks a
 * definition that stands in front of another's; and after it the static functions that are declared
 * here.
 */
#include "gomp_loops.h"

/* Where a call goes. */
static struct mai_loop_way way_of(enum mai_function function, const void *caller);

/* A thread has got a piece of a loop that any other might have got.
   @param caller behind the call, in the code of the loop */
static void note_any(enum mai_loop_schedule schedule, const void *caller);

/* Its function alone. */
static void *next_of(enum mai_function function, const void *caller);

#define FIND_WAY(name, caller)                                                                     \
  struct mai_loop_way way = way_of(MAI_FN_##name, caller);                                         \
  __typeof__(&(name)) next;                                                                        \
  *(void **)&next = way.next

/* What the run-time has given out from *first to *last, or that it has nothing. */
#define RETURN_PIECE(type, schedule, named, any, caller)                                           \
  do {                                                                                             \
    bool has_piece = (any);                                                                        \
    uint64_t piece[2] = {has_piece ? (uint64_t)*first : 0, has_piece ? (uint64_t)*last : 0};       \
    has_piece = mai_gomp_loop_enter(&way, named, has_piece, &piece[0], &piece[1]);                 \
    if (has_piece && !mai_loops_goes_on())                                                         \
      note_any(schedule, caller);                                                                  \
    if (has_piece) {                                                                               \
      *first = (type)piece[0];                                                                     \
      *last = (type)piece[1];                                                                      \
    }                                                                                              \
    return has_piece;                                                                              \
  } while (0)

/*===-- Loops begin --------------------------------------------------------===*/

#define LOOP(schedule, direction, chunk)                                                           \
  {schedule, direction, (uint64_t)start, (uint64_t)end, (uint64_t)step, (uint64_t)(chunk)}

#define DEFINE_START(name, schedule)                                                               \
  GOMP_LOOPS_INTERPOSE bool name(long start, long end, long step, long chunk, long *first,         \
                                 long *last);                                                      \
  bool name(long start, long end, long step, long chunk, long *first, long *last) {                \
    FIND_WAY(name, __builtin_return_address(0));                                                   \
    struct mai_gomp_loop loop = LOOP(schedule, MAI_LOOP_SIGNED, chunk > 0 ? chunk : 0);            \
    struct mai_loop *named = mai_gomp_loop_start(&loop, &way);                                     \
    bool any = next((long)loop.start, (long)loop.end, (long)loop.step, chunk, first, last);        \
    RETURN_PIECE(long, schedule, named, any, __builtin_return_address(0));                         \
  }

DEFINE_START(GOMP_loop_nonmonotonic_dynamic_start, MAI_LOOP_DYNAMIC)
DEFINE_START(GOMP_loop_nonmonotonic_guided_start, MAI_LOOP_GUIDED)

#define DEFINE_RUNTIME_START(name)                                                                 \
  GOMP_LOOPS_INTERPOSE bool name(long start, long end, long step, long *first, long *last);        \
  bool name(long start, long end, long step, long *first, long *last) {                            \
    FIND_WAY(name, __builtin_return_address(0));                                                   \
    struct mai_gomp_loop loop = LOOP(MAI_LOOP_RUNTIME, MAI_LOOP_SIGNED, 0);                        \
    struct mai_loop *named = mai_gomp_loop_start(&loop, &way);                                     \
    bool any = next((long)loop.start, (long)loop.end, (long)loop.step, first, last);               \
    RETURN_PIECE(long, MAI_LOOP_RUNTIME, named, any, __builtin_return_address(0));                 \
  }

DEFINE_RUNTIME_START(GOMP_loop_nonmonotonic_runtime_start)
DEFINE_RUNTIME_START(GOMP_loop_maybe_nonmonotonic_runtime_start)

typedef unsigned long long ull;

/* The run-time is told the direction. */
#define DIRECTION (up ? MAI_LOOP_UP : MAI_LOOP_DOWN)

#define DEFINE_ULL_START(name, schedule)                                                           \
  GOMP_LOOPS_INTERPOSE bool name(bool up, ull start, ull end, ull step, ull chunk, ull *first,     \
                                 ull *last);                                                       \
  bool name(bool up, ull start, ull end, ull step, ull chunk, ull *first, ull *last) {             \
    FIND_WAY(name, __builtin_return_address(0));                                                   \
    struct mai_gomp_loop loop = LOOP(schedule, DIRECTION, chunk);                                  \
    struct mai_loop *named = mai_gomp_loop_start(&loop, &way);                                     \
    bool any =                                                                                     \
        next(loop.direction == MAI_LOOP_UP, loop.start, loop.end, loop.step, chunk, first, last);  \
    RETURN_PIECE(ull, schedule, named, any, __builtin_return_address(0));                          \
  }

DEFINE_ULL_START(GOMP_loop_ull_nonmonotonic_dynamic_start, MAI_LOOP_DYNAMIC)
DEFINE_ULL_START(GOMP_loop_ull_nonmonotonic_guided_start, MAI_LOOP_GUIDED)

#define DEFINE_ULL_RUNTIME_START(name)                                                             \
  GOMP_LOOPS_INTERPOSE bool name(bool up, ull start, ull end, ull step, ull *first, ull *last);    \
  bool name(bool up, ull start, ull end, ull step, ull *first, ull *last) {                        \
    FIND_WAY(name, __builtin_return_address(0));                                                   \
    struct mai_gomp_loop loop = LOOP(MAI_LOOP_RUNTIME, DIRECTION, 0);                              \
    struct mai_loop *named = mai_gomp_loop_start(&loop, &way);                                     \
    bool any = next(loop.direction == MAI_LOOP_UP, loop.start, loop.end, loop.step, first, last);  \
    RETURN_PIECE(ull, MAI_LOOP_RUNTIME, named, any, __builtin_return_address(0));                  \
  }

DEFINE_ULL_RUNTIME_START(GOMP_loop_ull_nonmonotonic_runtime_start)
DEFINE_ULL_RUNTIME_START(GOMP_loop_ull_maybe_nonmonotonic_runtime_start)

/*===-- Loops go on --------------------------------------------------------===*/

#define RETURN_NEXT(type)                                                                          \
  do {                                                                                             \
    uint64_t piece[2];                                                                             \
    bool has_piece = mai_loops_next(&piece[0], &piece[1]);                                         \
    if (has_piece) {                                                                               \
      *first = (type)piece[0];                                                                     \
      *last = (type)piece[1];                                                                      \
    }                                                                                              \
    return has_piece;                                                                              \
  } while (0)

/* A thread that has begun the loop with its region asks for the first piece here, too. */
#define DEFINE_NEXT(name, type, schedule)                                                          \
  GOMP_LOOPS_INTERPOSE bool name(type *first, type *last);                                         \
  static bool find_##name(type *first, type *last, bool has_asked, const void *caller) {           \
    FIND_WAY(name, caller);                                                                        \
    if (!has_asked && mai_gomp_loop_resumes(&way))                                                 \
      RETURN_NEXT(type);                                                                           \
    RETURN_PIECE(type, schedule, NULL, has_asked || next(first, last), caller);                    \
  }                                                                                                \
  bool name(type *first, type *last) {                                                             \
    if (mai_loops_goes_on())                                                                       \
      RETURN_NEXT(type);                                                                           \
    const void *caller = __builtin_return_address(0);                                              \
    if (mai_loop_own.loop)                                                                         \
      return find_##name(first, last, false, caller);                                              \
    __typeof__(&(name)) next;                                                                      \
    *(void **)&next = next_of(MAI_FN_##name, caller);                                              \
    bool any = next(first, last);                                                                  \
    if (any && mai_loops_may_name((uint64_t)*first))                                               \
      return find_##name(first, last, true, caller);                                               \
    if (any)                                                                                       \
      note_any(schedule, caller);                                                                  \
    return any;                                                                                    \
  }

DEFINE_NEXT(GOMP_loop_nonmonotonic_dynamic_next, long, MAI_LOOP_DYNAMIC)
DEFINE_NEXT(GOMP_loop_nonmonotonic_guided_next, long, MAI_LOOP_GUIDED)
DEFINE_NEXT(GOMP_loop_nonmonotonic_runtime_next, long, MAI_LOOP_RUNTIME)
DEFINE_NEXT(GOMP_loop_maybe_nonmonotonic_runtime_next, long, MAI_LOOP_RUNTIME)
DEFINE_NEXT(GOMP_loop_ull_nonmonotonic_dynamic_next, ull, MAI_LOOP_DYNAMIC)
DEFINE_NEXT(GOMP_loop_ull_nonmonotonic_guided_next, ull, MAI_LOOP_GUIDED)
DEFINE_NEXT(GOMP_loop_ull_nonmonotonic_runtime_next, ull, MAI_LOOP_RUNTIME)
DEFINE_NEXT(GOMP_loop_ull_maybe_nonmonotonic_runtime_next, ull, MAI_LOOP_RUNTIME)
