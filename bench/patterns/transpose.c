/*===-- transpose.c - rows become columns ----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 200
#endif
#ifndef SWEEPS
#define SWEEPS 4900
#endif

#ifdef MALLOC
static double (*from)[SIZE], (*to)[SIZE];
#else
static double from[SIZE][SIZE], to[SIZE][SIZE];
#endif

static void start(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      from[i][j] = noise((unsigned)(i * SIZE + j));
}

static void transpose(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      to[i][j] = from[j][i];
}

/* from = 0.9 to + a little */
static void age(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      from[i][j] = 0.9 * to[i][j] + 1e-6 * i;
}

static double sum_of_products(void) {
  double sum = 0.0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      sum += to[i][j] * from[i][j];
  return sum;
}

int main(void) {
#ifdef MALLOC
  from = malloc(SIZE * sizeof *from);
  to = malloc(SIZE * sizeof *to);
  if (!from || !to)
    return out_of_memory();
#endif
  start();
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++) {
    transpose();
    age();
  }
  return report(begin, sum_of_products());
}
