/*===-- gomp_iterations.h - how many iterations libgomp's loops have *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Numbers are as the compiler passes them; those of a signed loop wrap around as well.
 */
#ifndef MAI_GOMP_ITERATIONS_H
#define MAI_GOMP_ITERATIONS_H

#include <stdbool.h>
#include <stdint.h>

/** A loop from `start` to `end`, which is not one of its numbers. */
struct mai_gomp_numbers {
  uint64_t start;
  uint64_t end;
  uint64_t step;
};

/** From `start` up to, and without, `end`; 0 where the step is 0. */
static inline uint64_t mai_gomp_count_up(uint64_t start, uint64_t end, uint64_t step) {
  return step ? (end - start - 1) / step + 1 : 0;
}

/** Of a loop whose variable is signed. */
static inline uint64_t mai_gomp_count_signed(uint64_t start, uint64_t end, uint64_t step) {
  if ((int64_t)step > 0)
    return (int64_t)start < (int64_t)end ? mai_gomp_count_up(start, end, step) : 0;
  return (int64_t)start > (int64_t)end ? mai_gomp_count_up(end, start, -step) : 0;
}

/** Of a loop whose variable is unsigned: it goes up or down. */
static inline uint64_t mai_gomp_count_unsigned(bool up, uint64_t start, uint64_t end,
                                               uint64_t step) {
  if (up)
    return start < end ? mai_gomp_count_up(start, end, step) : 0;
  return start > end ? mai_gomp_count_up(end, start, -step) : 0;
}

#endif /* MAI_GOMP_ITERATIONS_H */
