/*===-- vector.c - vectors -----------------------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

double dot(int n, const double *x, const double *y) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* y = y + factor x */
void add_multiple(int n, double factor, const double *x, double *y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    y[i] += factor * x[i];
}

/* y = factor y + x */
void multiple_and_add(int n, double factor, const double *x, double *y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    y[i] = factor * y[i] + x[i];
}

void fill(int n, double with, double *x) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    x[i] = with;
}
