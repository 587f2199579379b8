/* Conjugate gradients on a sparse matrix, all in one parallel region, with orphaned loops.

   RUN: %{try} %{program}
   CHECK: MAPP001 rowstr: block
   CHECK: MAPP001 colidx: block 0..1399 along rowstr filled: elements that rowstr delimits follow index j of the parallel loop in multiply()
   CHECK: MAPP001 a: block 0..1399 along rowstr filled: elements that rowstr delimits follow index j of the parallel loop in multiply()
   CHECK: MAPP001 x: block
   CHECK: MAPP001 z: block
   CHECK: MAPP001 p: block
   CHECK: MAPP001 q: block
   CHECK: MAPP001 r: block
*/
#include <math.h>
#include <stdio.h>
#define N 1400
#define NZ (5 * (N + 1))
static int rowstr[N + 1 + 1], colidx[NZ];
static double a[NZ], x[N + 2], z[N + 2], p[N + 2], q[N + 2], r[N + 2];
static double partial;

static void matrix(void) {
  int k = 0;
  for (int j = 0; j < N; j++) {
    rowstr[j] = k;
    for (int d = -2; d <= 2; d++)
      if (j + 7 * d >= 0 && j + 7 * d < N) {
        colidx[k] = j + 7 * d;
        a[k++] = d ? -0.5 : 4;
      }
  }
  rowstr[N] = k;
}

static double dot(const double *u, const double *v) {
#pragma omp single
  partial = 0;
#pragma omp for reduction(+ : partial)
  for (int j = 0; j < N; j++)
    partial += u[j] * v[j];
  const double sum = partial;
#pragma omp barrier
  return sum;
}

static void multiply(const double *from, double *to) {
#pragma omp for
  for (int j = 0; j < N; j++) {
    double sum = 0;
    for (int k = rowstr[j]; k < rowstr[j + 1]; k++)
      sum += a[k] * from[colidx[k]];
    to[j] = sum;
  }
}

int main(void) {
  matrix();
#pragma omp parallel
  {
#pragma omp for
    for (int j = 0; j < N + 1; j++) {
      x[j] = 1;
      z[j] = q[j] = 0;
      r[j] = p[j] = x[j];
    }
    double rho = dot(r, r);
    for (int step = 0; step < 5; step++) {
      multiply(p, q);
      const double alpha = rho / dot(p, q), before = rho;
#pragma omp for
      for (int j = 0; j < N; j++) {
        z[j] += alpha * p[j];
        r[j] -= alpha * q[j];
      }
      rho = dot(r, r);
#pragma omp for
      for (int j = 0; j < N; j++)
        p[j] = r[j] + rho / before * p[j];
    }
  }
  double sum = 0;
  for (int j = 0; j < N; j++)
    sum += z[j];
  printf("%.6g\n", sum);
  return 0;
}
