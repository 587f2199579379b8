/*===-- reduction.c - sums and the greatest of long vectors ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 40000
#endif
#ifndef SWEEPS
#define SWEEPS 8000
#endif

#ifndef MALLOC
static double left[SIZE];
static double right[SIZE];
#endif

static void start(double *x, double *y) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++) {
    x[i] = noise((unsigned)i);
    y[i] = noise((unsigned)(i + SIZE)) - 0.5;
  }
}

static double dot(const double *x, const double *y) {
  double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < SIZE; i++)
    sum += x[i] * y[i];
  return sum;
}

static double greatest(const double *x) {
  double most = x[0];
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < SIZE; i++)
    most = x[i] > most ? x[i] : most;
  return most;
}

static double run(double *x, double *y) {
  double sum = 0.0;
  for (int s = 0; s < SWEEPS; s++) {
    sum += dot(x, y) + dot(y, y) + greatest(x);
    x[s % SIZE] += 1e-3;
  }
  return sum;
}

int main(void) {
#ifdef MALLOC
  double *left = malloc(SIZE * sizeof *left);
  double *right = malloc(SIZE * sizeof *right);
  if (!left || !right)
    return out_of_memory();
#endif
  start(left, right);
  const struct times begin = times_now();
  const int status = report(begin, run(left, right));
#ifdef MALLOC
  free(left);
  free(right);
#endif
  return status;
}
