/* A block that a pointer to a whole array points to is divided by the array's rows, as one that has a
   pointer to a row.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

#define N 300

static void add(double a[N][N], double b[N][N]) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] += b[i][j];
}

static void *allocate(size_t count, size_t each) { return calloc(count, each); }

int main(void) {
  // CHECK-DAG: {{^\+.*}}(*a)[N][N] = MAI_PLACED_NEW(a, calloc({{.*}}), 2400, "block"
  double(*a)[N][N] = calloc(N * N, sizeof(double));
  // CHECK-DAG: {{^\+.*}}(*b)[N][N] = MAI_PLACED(b, allocate({{.*}}), 2400, "block"
  double(*b)[N][N] = allocate(N * N, sizeof(double));
  for (int step = 0; step < 10; step++)
    add(*a, *b);
  printf("%g\n", (*a)[N / 2][7]);
  return 0;
}
