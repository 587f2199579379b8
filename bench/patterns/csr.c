/*===-- csr.c - products of a sparse matrix in rows with a vector ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 3000
#endif
#ifndef SWEEPS
#define SWEEPS 4600
#endif
#define PER_ROW 15 /* elements, on average */
#define MOST (SIZE * (PER_ROW + 2))

#ifdef MALLOC
static int *row, *column;
static double *value, *x, *y;
#else
static int row[SIZE + 1], column[MOST];
static double value[MOST], x[SIZE], y[SIZE];
#endif

#ifdef MALLOC
static int allocate(void) {
  row = malloc((SIZE + 1) * sizeof *row);
  column = malloc(MOST * sizeof *column);
  value = malloc(MOST * sizeof *value);
  x = malloc(SIZE * sizeof *x);
  y = malloc(SIZE * sizeof *y);
  return row && column && value && x && y;
}
#endif

static void make_matrix(void) {
  row[0] = 0;
  for (int i = 0; i < SIZE; i++) {
    int k = row[i];
    const int elements = PER_ROW - 2 + i % 5;
    for (int e = 0; e < elements; e++, k++) {
      column[k] = (int)(SIZE * noise((unsigned)(i * 31 + e)));
      value[k] = noise((unsigned)k) / PER_ROW;
    }
    row[i + 1] = k;
  }
}

static void multiply(void) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++) {
    double sum = 0.0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

/* x = (x + y) / 2, whose sum is returned. */
static double mix(void) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < SIZE; i++) {
    x[i] = 0.5 * (x[i] + y[i]);
    sum += x[i];
  }
  return sum;
}

int main(void) {
#ifdef MALLOC
  if (!allocate())
    return out_of_memory();
#endif
  make_matrix();
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++)
    x[i] = 1.0;
  double sum = 0.0;
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++) {
    multiply();
    sum += mix();
  }
  return report(begin, sum);
}
