/* Of a parallel loop of three iterations only the first three threads have a share: the array is divided among these, and not
   among all of the team.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

#define N 20000

// CHECK-DAG: {{^\+}}MAI_STATIC(v, "block for 3 threads");
static double v[3][N];
// CHECK-DAG: {{^\+}}MAI_STATIC(many, "block");
static double many[60][N / 20];

int main(void) {
  double *axis[2];
  for (int k = 0; k < 2; k++)
    // CHECK-DAG: {{^\+}}    axis[k] = MAI_PLACED_ROW(axis[k], malloc(MAI_BYTES(N * sizeof(double))), (unsigned long)k, (unsigned long)2, "block for 2 threads"
    axis[k] = malloc(N * sizeof(double));
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++)
      axis[k][i] = v[k][i] = i % 5;
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (int d = 0; d < 3; d++)
      for (int i = 1; i < N; i++)
        v[d][i] = 0.5 * (v[d][i] + v[d][i - 1]);
#pragma omp parallel for
    for (int k = 0; k < 2; k++)
      for (int i = 1; i < N; i++)
        axis[k][i] += axis[k][i - 1];
#pragma omp parallel for
    for (int d = 0; d < 60; d++)
      for (int i = 0; i < N / 20; i++)
        many[d][i] += d;
  }
  printf("%g %g %g\n", v[2][77], axis[1][5], many[7][3]);
  return 0;
}
