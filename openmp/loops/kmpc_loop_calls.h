/*===-- kmpc_loop_calls.h - the functions by which clang's programs divide loops *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Defines libomp's functions that give threads pieces of loops, for a library that stands in front
 * of it.  Included once, by a source that defines before: KMPC_LOOPS_INTERPOSE, which marks a
 * definition that stands in front of another's; and after it the static functions that are declared
 * here.
 */
#include "kmpc_loops.h"
#include "openmp/routes.h"

/* Where a call goes. */
static struct mai_loop_way way_of(enum mai_function function, const void *caller);

/* Its function alone. */
static void *next_of(enum mai_function function, const void *caller);

/* The 32 bits above are nothing of an unsigned number, and the sign of another. */
#define DEFINE_LOOP(suffix, number_t, step_t, signed_loop)                                         \
  KMPC_LOOPS_INTERPOSE void __kmpc_dispatch_init_##suffix(                                         \
      void *location, int32_t thread, int32_t schedule, number_t first, number_t last,             \
      step_t step, step_t chunk);                                                                  \
  void __kmpc_dispatch_init_##suffix(void *location, int32_t thread, int32_t schedule,             \
                                     number_t first, number_t last, step_t step, step_t chunk) {   \
    struct mai_loop_way way =                                                                      \
        way_of(MAI_FN___kmpc_dispatch_init_##suffix, __builtin_return_address(0));                 \
    struct mai_kmpc_loop loop = {(uint64_t)first, (uint64_t)last,                                  \
                                 (uint64_t)step,  chunk > 0 ? (uint64_t)chunk : 0,                 \
                                 schedule,        signed_loop};                                    \
    __typeof__(&__kmpc_dispatch_init_##suffix) next;                                               \
    *(void **)&next = way.next;                                                                    \
    if (!mai_kmpc_loop_start(&loop, &way))                                                         \
      next(location, thread, schedule, first, last, step, chunk);                                  \
  }                                                                                                \
  KMPC_LOOPS_INTERPOSE int __kmpc_dispatch_next_##suffix(void *location, int32_t thread,           \
                                                         int32_t *is_last, number_t *first,        \
                                                         number_t *last, step_t *step);            \
  int __kmpc_dispatch_next_##suffix(void *location, int32_t thread, int32_t *is_last,              \
                                    number_t *first, number_t *last, step_t *step) {               \
    struct mai_kmpc_piece piece;                                                                   \
    if (!mai_kmpc_loop_goes_on()) {                                                                \
      __typeof__(&__kmpc_dispatch_next_##suffix) next;                                             \
      *(void **)&next =                                                                            \
          next_of(MAI_FN___kmpc_dispatch_next_##suffix, __builtin_return_address(0));              \
      return next(location, thread, is_last, first, last, step);                                   \
    }                                                                                              \
    if (!mai_kmpc_loop_next(&piece))                                                               \
      return 0;                                                                                    \
    *first = (number_t)piece.first;                                                                \
    *last = (number_t)piece.last;                                                                  \
    if (step)                                                                                      \
      *step = (step_t)piece.step;                                                                  \
    if (is_last)                                                                                   \
      *is_last = piece.is_last;                                                                    \
    return 1;                                                                                      \
  }

DEFINE_LOOP(4, int32_t, int32_t, true)
DEFINE_LOOP(4u, uint32_t, int32_t, false)
DEFINE_LOOP(8, int64_t, int64_t, true)
DEFINE_LOOP(8u, uint64_t, int64_t, false)
