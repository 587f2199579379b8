/* The size that a wrapper asks for may be multiplied or added up in a variable; where that may lose
   bits, its blocks are not told apart by their callers.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

#define N 60000

static void *several(unsigned long long count, int each) {
  size_t bytes = count;
  bytes *= each;
  return malloc(bytes);
}

static void *narrow(size_t count, size_t each) {
  unsigned bytes = (unsigned)count;
  bytes *= each;
  return malloc(bytes);
}

static void fill(double *a, double by) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = by * (i % 100);
}

int main(void) {
  // CHECK-DAG: {{^\+.*}}rows = MAI_PLACED(rows, several(MAI_TIMES(N), MAI_UNITS(1, sizeof(double))), sizeof(double), "block"
  double *rows = several(N, sizeof(double));
  // CHECK-DAG: {{^\+.*}}return MAI_PLACED_NEW({{.*}}malloc(MAI_BYTES(bytes))
  double *other = narrow(N, sizeof(double));
  fill(rows, 1);
  fill(other, 2);
  printf("%g %g\n", rows[N / 2], other[N / 3]);
  return 0;
}
