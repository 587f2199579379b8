/*===-- loop_division.h - the tasks that a loop is divided into --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Run-times divide a loop's iterations in the same way: programs may rely on it.
 */
#ifndef MAI_LOOP_DIVISION_H
#define MAI_LOOP_DIVISION_H

#include <stdbool.h>
#include <stdint.h>

/** The first `longer` tasks have `most` iterations each, the others one less; or, when strict, all
 *  have `most` and the last one what is left. */
struct mai_division {
  uint64_t tasks;
  uint64_t most;
  uint64_t longer;
};

/** At least one iteration by at least one task; no more tasks than iterations. */
static inline struct mai_division mai_divide_evenly(uint64_t iterations, uint64_t tasks) {
  uint64_t rest = iterations % tasks;
  return (struct mai_division){tasks, iterations / tasks + (rest != 0), rest ? rest : tasks};
}

/** At least one iteration, by tasks of at least so many. */
static inline struct mai_division mai_divide_by_grain(uint64_t iterations, uint64_t grain,
                                                      bool strict) {
  if (strict)
    return (struct mai_division){(iterations - 1) / grain + 1, grain, iterations};
  return mai_divide_evenly(iterations, iterations / grain ? iterations / grain : 1);
}

/** The iterations of a task, when so many are left. */
static inline uint64_t mai_division_count(const struct mai_division *division, uint64_t task,
                                          uint64_t left) {
  uint64_t count = division->most - (task >= division->longer);
  return count < left ? count : left;
}

#endif /* MAI_LOOP_DIVISION_H */
