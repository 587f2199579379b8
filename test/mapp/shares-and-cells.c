/* A share that a thread finds in a table by its number is as long as other loops are, not as a sparse row; and what goes over
   the elements of a cell near the thread's own, so many as is told for that cell, is near its share.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static int *lo, *hi;

static void divide(int n, int threads) {
  lo = malloc((size_t)threads * sizeof *lo);
  hi = malloc((size_t)threads * sizeof *hi);
  for (int t = 0; t < threads; t++) {
    lo[t] = (int)((long)n * t / threads);
    hi[t] = (int)((long)n * (t + 1) / threads);
  }
}

static double shares(int n) {
  if (n < 1)
    return 0;
  // CHECK-DAG: c:[[#]]: factor: block: elements follow
  double *factor = malloc((size_t)n * sizeof *factor);
  // CHECK-DAG: c:[[#]]: result: block{{.*}}: elements
  double *result = calloc((size_t)n, sizeof *result);
  for (int i = 0; i < n; i++)
    factor[i] = i;
  divide(n, omp_get_max_threads());
#pragma omp parallel
  {
    int me = omp_get_thread_num(), first = lo[me], end = hi[me];
    for (int i = first; i < end; i++)
      result[i] += factor[i];
  }
  double sum = result[n / 2];
  free(result);
  free(factor);
  return sum;
}

static double cells(int n, const int *count) {
  if (n < 1)
    return 0;
  // CHECK-DAG: c:[[#]]: position: block: elements follow
  double *position = malloc((size_t)n * MOST * sizeof *position);
  double *force = calloc((size_t)n * MOST, sizeof *force);
  for (int i = 0; i < n * MOST; i++)
    position[i] = i % 17;
#pragma omp parallel for
  for (int cell = 0; cell < n; cell++)
    for (int k = 0; k < 3; k++) {
      int other = cell + k;
      if (other >= n)
        other -= 3;
      for (int i = MOST * cell; i < MOST * cell + count[cell]; i++)
        for (int j = MOST * other; j < MOST * other + count[other]; j++)
          force[i] += position[i] - position[j];
    }
  double sum = force[MOST];
  free(force);
  free(position);
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 999 + argc;
  int *count = malloc((size_t)n * sizeof *count);
  for (int i = 0; i < n; i++)
    count[i] = 5 + i % 7;
  printf("%g %g\n", shares(60 * n), cells(n, count));
  free(count);
  free(lo);
  free(hi);
  return 0;
}
