/*===-- product_rows.c - product of matrices that goes along rows ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 160
#endif
#ifndef SWEEPS
#define SWEEPS 415
#endif

#ifdef MALLOC
static double (*a)[SIZE], (*b)[SIZE], (*c)[SIZE];
#else
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
#endif

static void start(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      a[i][j] = noise((unsigned)(i * SIZE + j));
      b[i][j] = noise((unsigned)(j * SIZE + i));
      c[i][j] = 0.0;
    }
}

static void add_product(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++)
      for (int j = 0; j < SIZE; j++)
        c[i][j] += a[i][k] * b[k][j];
}

static double sum_of_c(void) {
  double sum = 0.0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      sum += c[i][j];
  return sum;
}

int main(void) {
#ifdef MALLOC
  a = malloc(SIZE * sizeof *a);
  b = malloc(SIZE * sizeof *b);
  c = malloc(SIZE * sizeof *c);
  if (!a || !b || !c)
    return out_of_memory();
#endif
  start();
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++)
    add_product();
  return report(begin, sum_of_c());
}
