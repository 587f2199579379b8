/*===-- common.h - what the small kernels share: sizes, clocks, report *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The kernels are small programs such as people write, one for each way of going through memory,
 * that know nothing of Minas.  `bench/rewrite --patterns` runs each as it is and rewritten.  Arrays
 * are static, or with -DMALLOC from malloc(); half of the kernels mention them by name where they
 * use them, half pass them on.  What they compute on fits into a second-level cache of 1 MiB, so
 * that what the code costs is not lost in what other programs do to caches and memory; -DSIZE and
 * -DSWEEPS change that.
 */
#ifndef PATTERNS_COMMON_H
#define PATTERNS_COMMON_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct times {
  double elapsed, cpu; /* seconds */
};

static inline struct times times_now(void) {
  struct timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  return (struct times){omp_get_wtime(), (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec};
}

/* Of the part of the program that counts, without its set-up; returns the exit status. */
static inline int report(struct times begin, double checksum) {
  const struct times end = times_now();
  printf("Time     %.6f s\n", end.elapsed - begin.elapsed);
  printf("CPU      %.6f s\n", end.cpu - begin.cpu);
  printf("Checksum %.12e\n", checksum);
  return EXIT_SUCCESS;
}

static inline int out_of_memory(void) {
  fputs("out of memory\n", stderr);
  return EXIT_FAILURE;
}

/* A number in [0, 1) that looks random, the same for the same k. */
static inline double noise(unsigned k) {
  k = (k ^ (k >> 16)) * 0x45d9f3bu;
  k = (k ^ (k >> 16)) * 0x45d9f3bu;
  return (double)(k ^ (k >> 16)) * 0x1p-32;
}

#endif
