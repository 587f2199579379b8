/*===-- stencil3d.c - diffusion in a cube, by 7-point stencils --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 36
#endif
#ifndef SWEEPS
#define SWEEPS 6000
#endif

typedef double plane[SIZE][SIZE];

#ifndef MALLOC
static plane first[SIZE];
static plane second[SIZE];
#endif

static void start(plane *cube, plane *other) {
#pragma omp parallel for
  for (int k = 0; k < SIZE; k++)
    for (int j = 0; j < SIZE; j++)
      for (int i = 0; i < SIZE; i++)
        cube[k][j][i] = other[k][j][i] = noise((unsigned)((k * SIZE + j) * SIZE + i));
}

static void sweep(plane *restrict to, plane *restrict from) {
#pragma omp parallel for
  for (int k = 1; k < SIZE - 1; k++)
    for (int j = 1; j < SIZE - 1; j++)
      for (int i = 1; i < SIZE - 1; i++)
        to[k][j][i] =
            0.4 * from[k][j][i] + 0.1 * (from[k - 1][j][i] + from[k + 1][j][i] + from[k][j - 1][i] +
                                         from[k][j + 1][i] + from[k][j][i - 1] + from[k][j][i + 1]);
}

static double sum(plane *cube) {
  double total = 0.0;
#pragma omp parallel for reduction(+ : total)
  for (int k = 0; k < SIZE; k++)
    for (int j = 0; j < SIZE; j++)
      for (int i = 0; i < SIZE; i++)
        total += cube[k][j][i];
  return total;
}

int main(void) {
#ifdef MALLOC
  plane *first = malloc(SIZE * sizeof *first);
  plane *second = malloc(SIZE * sizeof *second);
  if (!first || !second)
    return out_of_memory();
#endif
  start(first, second);
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS / 2; s++) {
    sweep(second, first);
    sweep(first, second);
  }
  const int status = report(begin, sum(first));
#ifdef MALLOC
  free(first);
  free(second);
#endif
  return status;
}
