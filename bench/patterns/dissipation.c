/*===-- dissipation.c - stencils of five points in three directions --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What solvers of the equations of flow do with the five unknowns of each point: differences of
 * fourth order, over five points in a row, as in the right-hand sides of the NAS kernels.
 */
#include "common.h"

#ifndef SIZE
#define SIZE 20
#endif
#ifndef SWEEPS
#define SWEEPS 2500
#endif

#ifdef MALLOC
static double (*u)[SIZE][SIZE][5];
static double (*change)[SIZE][SIZE][5];
#else
static double u[SIZE][SIZE][SIZE][5];
static double change[SIZE][SIZE][SIZE][5];
#endif

static void start(void) {
#pragma omp parallel for
  for (int k = 0; k < SIZE; k++)
    for (int j = 0; j < SIZE; j++)
      for (int i = 0; i < SIZE; i++)
        for (int m = 0; m < 5; m++) {
          u[k][j][i][m] = noise((unsigned)(((k * SIZE + j) * SIZE + i) * 5 + m));
          change[k][j][i][m] = 0.0;
        }
}

static void find_change(void) {
#pragma omp parallel for
  for (int k = 2; k < SIZE - 2; k++)
    for (int j = 2; j < SIZE - 2; j++) {
      for (int i = 2; i < SIZE - 2; i++)
        for (int m = 0; m < 5; m++)
          change[k][j][i][m] = u[k][j][i - 2][m] - 4.0 * u[k][j][i - 1][m] + 6.0 * u[k][j][i][m] -
                               4.0 * u[k][j][i + 1][m] + u[k][j][i + 2][m];
      for (int i = 2; i < SIZE - 2; i++)
        for (int m = 0; m < 5; m++)
          change[k][j][i][m] += u[k][j - 2][i][m] - 4.0 * u[k][j - 1][i][m] + 6.0 * u[k][j][i][m] -
                                4.0 * u[k][j + 1][i][m] + u[k][j + 2][i][m];
      for (int i = 2; i < SIZE - 2; i++)
        for (int m = 0; m < 5; m++)
          change[k][j][i][m] += u[k - 2][j][i][m] - 4.0 * u[k - 1][j][i][m] + 6.0 * u[k][j][i][m] -
                                4.0 * u[k + 1][j][i][m] + u[k + 2][j][i][m];
    }
}

/* Returns the sum of the squares of what is added. */
static double add_change(void) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 2; k < SIZE - 2; k++)
    for (int j = 2; j < SIZE - 2; j++)
      for (int i = 2; i < SIZE - 2; i++)
        for (int m = 0; m < 5; m++) {
          u[k][j][i][m] -= 0.02 * change[k][j][i][m];
          sum += change[k][j][i][m] * change[k][j][i][m];
        }
  return sum;
}

int main(void) {
#ifdef MALLOC
  u = malloc(SIZE * sizeof *u);
  change = malloc(SIZE * sizeof *change);
  if (!u || !change)
    return out_of_memory();
#endif
  start();
  double sum = 0.0;
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++) {
    find_change();
    sum = add_change();
  }
  return report(begin, sum);
}
