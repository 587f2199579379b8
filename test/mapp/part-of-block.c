/* Where nothing tells how far the loops go in a block, as where three sweeps go over it in three directions, it may be a part of it only:
   threads that write it first know better than who divides the whole. If one thread has filled it, to divide the whole is better
   than nothing.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void sweep(double *touched, double *filled, long n, int axis) {
  const long skipped = n % 2;
#pragma omp parallel for
  for (long a = 1; a < n; a++)
    for (long b = 0; b < n; b++) {
      const long at = axis == 0 ? (a * n + b) * n : axis == 1 ? a * n * n + b : a * n + b;
      const long stride = axis == 0 ? 1 : axis == 1 ? n : n * n;
      for (long i = 1; i < n; i++) {
        touched[at + i * stride + skipped] = filled[at + i * stride + skipped] * (double)i;
        filled[at + i * stride + skipped] += touched[at + (i - 1) * stride + skipped];
      }
    }
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 30;
  // CHECK-DAG: c:[[#@LINE+1]]: touched: local: threads write it first: elements follow index a of the parallel loop in sweep()
  double *touched = malloc((size_t)(5 * n * n * n) * sizeof *touched);
  // CHECK-DAG: c:[[#@LINE+1]]: filled: block: elements follow index a of the parallel loop in sweep()
  double *filled = malloc((size_t)(5 * n * n * n) * sizeof *filled);
  for (long i = 0; i < 5 * n * n * n; i++)
    filled[i] = 1;
  for (int step = 0; step < 9; step++)
    sweep(touched, filled, n, step % 3);
  printf("%g\n", filled[n + 1]);
}
