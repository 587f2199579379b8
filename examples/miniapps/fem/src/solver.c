/*===-- solver.c - conjugate gradients -----------------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

#include <math.h>
#include <stdlib.h>

/* z = D^-1 r, where D is the diagonal. */
static void precondition(int n, const double *inverse, const double *r, double *z) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    z[i] = inverse[i] * r[i];
}

static double *inverse_diagonal(const matrix *of) {
  double *inverse = NEW(double, of->rows);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < of->rows; row++)
    inverse[row] = 1 / *entry(of, row, row);
  return inverse;
}

/* Solves A x = b from x = 0. */
convergence solve(const matrix *by, const double *right, double *x, double tolerance, int most) {
  const int n = by->rows;
  double *inverse = inverse_diagonal(by);
  double *r = NEW(double, n), *z = NEW(double, n), *p = NEW(double, n), *q = NEW(double, n);
  fill(n, 0, x);
  fill(n, 0, r);
  add_multiple(n, 1, right, r);
  precondition(n, inverse, r, z);
  fill(n, 0, p);
  add_multiple(n, 1, z, p);
  const double begin = sqrt(dot(n, r, r));
  double rz = dot(n, r, z);
  convergence reached = {0, 1};
  while (reached.residual > tolerance && reached.iterations < most) {
    multiply(by, p, q);
    const double step = rz / dot(n, p, q);
    add_multiple(n, step, p, x);
    add_multiple(n, -step, q, r);
    precondition(n, inverse, r, z);
    const double next = dot(n, r, z);
    multiple_and_add(n, next / rz, z, p);
    rz = next;
    reached.residual = sqrt(dot(n, r, r)) / begin;
    reached.iterations++;
  }
  free(inverse);
  free(r);
  free(z);
  free(p);
  free(q);
  return reached;
}
