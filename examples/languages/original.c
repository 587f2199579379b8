/*===-- original.c - a program for the original MAi -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Heat in a plate, by Jacobi's method, as one wrote it for the MAi of 2010.  Nothing in here knows
 * of mai_compat.h:
 *
 *     gcc -fopenmp -include mai_compat.h original.c -o original -lmai_compat -lmai
 *     ./original [map file]
 */
#include <mai.h>
#include <stdio.h>

#define N 512
#define STEPS 50

static double **warm, **next;

static void set_plate(double **plate) {
  int i, j;
#pragma omp parallel for private(j)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      plate[i][j] = i == 0 ? 100.0 : 0.0;
}

static void step(double **from, double **to) {
  int i, j;
#pragma omp parallel for private(j)
  for (i = 1; i < N - 1; i++)
    for (j = 1; j < N - 1; j++)
      to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(int argc, char *argv[]) {
  int i;

  mai_init(argc > 1 ? argv[1] : NULL);
  warm = (double **)mai_alloc_2D(N, N, sizeof(double), DOUBLE);
  next = (double **)mai_alloc_2D(N, N, sizeof(double), DOUBLE);
  mai_bind_rows(warm);
  mai_bind_rows(next);

  set_plate(warm);
  set_plate(next);
  for (i = 0; i < STEPS; i += 2) {
    step(warm, next);
    step(next, warm);
  }
  printf("five rows down: %.3f\n", warm[5][N / 2]);

  mai_mempol(warm);
  mai_arraynodes(warm);
  mai_free_array(warm);
  mai_free_array(next);
  mai_final();
  return 0;
}
