/* A size that the input may say is the same in the function that reads it, and in all others: so serial loops of the one and parallel
   loops of the others are compared by one number.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static int n, m = 12;

static void scale(double *u) {
#pragma omp parallel for
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n * n; i++)
      u[k * n * n + i] *= 2;
}

static void shift(double *u) {
#pragma omp parallel for
  for (int k = 0; k < m; k++)
    for (int i = 0; i < m * m; i++)
      u[k * m * m + i] += 1;
}

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 12;
  if (argc > 2)
    m = atoi(argv[2]);
  // CHECK: :[[#@LINE+1]]: scaled: block: elements follow index k of the parallel loop in scale()
  double *scaled = malloc(n * n * n * sizeof *scaled);
  // CHECK: :[[#@LINE+1]]: shifted: block: elements follow index k of the parallel loop in shift()
  double *shifted = malloc(m * m * m * sizeof *shifted);
  for (int i = 0; i < n * n * n; i++)
    scaled[i] = i;
  for (int i = 0; i < m * m * m; i++)
    shifted[i] = i;
  for (int step = 0; step < 10; step++) {
    scale(scaled);
    shift(shifted);
  }
  printf("%g %g\n", scaled[n * n * n - 1], shifted[m]);
  free(scaled), free(shifted);
  return 0;
}
