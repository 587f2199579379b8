/*===-- common.h - what the NAS kernels share: classes, random numbers, report *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A kernel is one file that includes this one.  It defines for each class
 *
 *   #define CLASS_S(pick) pick(size, iterations, ...)
 *
 * and takes what it needs from the class that -DCLASS chooses by CLASS_NAMED(CLASS)(PICK_SIZE).
 */
#ifndef NPB_COMMON_H
#define NPB_COMMON_H

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CLASS
#define CLASS S
#endif

#define PASTE(left, right) left##right
#define CLASS_NAMED(name) PASTE(CLASS_, name)
#define QUOTE(name) #name
#define NAME_OF(class) QUOTE(class)

#define IS_CLASS_S 1
#define IS_CLASS_W 1
#define IS_CLASS_A 1
#define IS_CLASS_B 1
#define IS_CLASS_C 1
#define IS_CLASS(name) PASTE(IS_CLASS_, name)
#if !IS_CLASS(CLASS)
#error "CLASS must be S, W, A, B or C, as in -DCLASS=W"
#endif

/* The benchmarks' generator: s <- 5^13 s mod 2^46.  Products may exceed 64 bits; what overflows is
 * a multiple of the modulus. */
#define RANDOM_FACTOR UINT64_C(1220703125)
#define RANDOM_MASK ((UINT64_C(1) << 46) - 1)

/* The next number, uniform in (0, 1). */
static inline double next_random(uint64_t *state) {
  *state = RANDOM_FACTOR * *state & RANDOM_MASK;
  return (double)*state * 0x1p-46;
}

/* The state after count more numbers: 5^13 to that power by repeated squaring. */
static inline uint64_t skip_random(uint64_t state, uint64_t count) {
  for (uint64_t factor = RANDOM_FACTOR; count > 0; count /= 2) {
    if (count % 2 != 0)
      state = factor * state & RANDOM_MASK;
    factor = factor * factor & RANDOM_MASK;
  }
  return state;
}

/* The next count numbers, several at a time: the number l + 1 places on is a number times that
 * power of the factor, so that the products do not wait for each other. */
#define RANDOM_LANES 32
static inline void fill_random(double *numbers, int count, uint64_t *state) {
  uint64_t power[RANDOM_LANES];
  power[0] = RANDOM_FACTOR;
  for (int l = 1; l < RANDOM_LANES; l++)
    power[l] = RANDOM_FACTOR * power[l - 1] & RANDOM_MASK;

  int done = 0;
  for (; done + RANDOM_LANES <= count; done += RANDOM_LANES) {
    const uint64_t before = *state;
#pragma omp simd
    for (int l = 0; l < RANDOM_LANES; l++)
      numbers[done + l] = (double)(int64_t)(power[l] * before & RANDOM_MASK) * 0x1p-46;
    *state = power[RANDOM_LANES - 1] * before & RANDOM_MASK;
  }
  for (; done < count; done++)
    numbers[done] = next_random(state);
}

/* The kernels have no options: whatever is given is a misunderstanding. */
static inline void refuse_arguments(int argc, char **argv) {
  if (argc == 1)
    return;
  fprintf(stderr,
          "%s: unexpected argument '%s'; the class is chosen by compiling with -DCLASS=S, W, A, B "
          "or C, the number of threads by OMP_NUM_THREADS\n",
          argv[0], argv[1]);
  exit(2);
}

static inline double seconds_since(double start) { return omp_get_wtime() - start; }

static inline void report_rate(double seconds, double mega_operations) {
  printf(" Time      %.3f s\n", seconds);
  printf(" Mop/s     %.1f\n", mega_operations / seconds);
}

/* Prints a result beside the published one; says whether they agree. */
static inline bool agrees(const char *name, double value, double published, double tolerance) {
  const double error = fabs((value - published) / published);
  const bool verified = error <= tolerance; /* false for a NaN */
  printf(" %-9s %20.13e  published %20.13e  error %.1e%s\n", name, value, published, error,
         verified ? "" : "  WRONG");
  return verified;
}

/* Ends the report; returns the program's exit status. */
static inline int conclude(bool verified) {
  printf(" VERIFICATION %s\n", verified ? "SUCCESSFUL" : "FAILED");
  return verified ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
