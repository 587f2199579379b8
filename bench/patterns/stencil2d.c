/*===-- stencil2d.c - heat in a plate, by 5-point stencils -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 200
#endif
#ifndef SWEEPS
#define SWEEPS 7000
#endif

#ifdef MALLOC
static double (*plate)[SIZE];
static double (*next)[SIZE];
#else
static double plate[SIZE][SIZE];
static double next[SIZE][SIZE];
#endif

static void start(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      plate[i][j] = next[i][j] = i == 0 || j == 0 ? 1.0 : 0.0;
}

static void sweep(void) {
#pragma omp parallel for
  for (int i = 1; i < SIZE - 1; i++)
    for (int j = 1; j < SIZE - 1; j++)
      next[i][j] = 0.25 * (plate[i - 1][j] + plate[i + 1][j] + plate[i][j - 1] + plate[i][j + 1]);
}

/* Returns the sum of all changes. */
static double take_over(void) {
  double change = 0.0;
#pragma omp parallel for reduction(+ : change)
  for (int i = 1; i < SIZE - 1; i++)
#pragma omp simd reduction(+ : change)
    for (int j = 1; j < SIZE - 1; j++) {
      change += next[i][j] - plate[i][j];
      plate[i][j] = next[i][j];
    }
  return change;
}

int main(void) {
#ifdef MALLOC
  plate = malloc(SIZE * sizeof *plate);
  next = malloc(SIZE * sizeof *next);
  if (!plate || !next)
    return out_of_memory();
#endif
  start();
  double change = 0.0;
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++) {
    sweep();
    change = take_over();
  }
  return report(begin, change);
}
