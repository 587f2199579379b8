/* A loop over a part of the units divides that part. The count is said relative to the extent
   where rows at the edges are left out, so that it follows a changed macro; differences of less than a
   page do not matter.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: mapp-rewrite %s -- -DN=512 2>&1 | FileCheck %s
*/
#include <stdio.h>
#ifndef N
#define N 400
#endif
#define HALO 2
typedef double grid[N][1000];

// CHECK: {{^\+}}MAI_STATIC(inner, "block", 2, (N + 1) - 5); /* mapp: rows follow
static double inner[N + 1][1000];
// CHECK: {{^\+}}MAI_STATIC(literal, "block", 1, 198);
static double literal[200][1000];
// CHECK: {{^\+}}MAI_STATIC(typed, "block", 1, sizeof typed / sizeof typed[0] - 2);
static grid typed;
// CHECK: {{^\+}}MAI_STATIC(quarter, "block", 0, 1000);
static double quarter[4000];
// CHECK: {{^\+}}MAI_STATIC(nearly, "block");
static double nearly[N * N + 5];
// CHECK: {{^\+}}MAI_STATIC(shifted, "block", 1, (N) - 1);
static double shifted[N][1000];

// CHECK: c:[[#]]: literal: block, 1, 198: rows follow index i
int main(void) {
#pragma omp parallel for
  for (int i = HALO; i < N - 2; i++)
    for (int j = 0; j < 1000; j++)
      inner[i][j] += inner[i - 1][j] + inner[i + 1][j] + i;
#pragma omp parallel for
  for (int i = 1; i <= 198; i++)
    for (int j = 0; j < 1000; j++)
      literal[i][j] = i;
#pragma omp parallel for
  for (int i = 1; i < N - 1; i++)
    for (int j = 0; j < 1000; j++)
      typed[i][j] = i;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    quarter[i] = i;
#pragma omp parallel for
  for (int i = 0; i < N * N; i++)
    nearly[i] = i;
#pragma omp parallel for
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < 1000; j++)
      shifted[i + 1][j] = i;
  printf("%g %g %g %g %g %g\n", inner[9][9], literal[3][3], typed[4][4], quarter[5], nearly[6],
         shifted[7][7]);
  return 0;
}
