/* In a factorisation the parallel loop goes over less in every step: of what is placed for the first step the
   threads of the last own nothing. Four steps are looked at; that their ranges disagree speaks for interleaving pages out.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain lu %s | FileCheck %s --check-prefix=EXPLAIN
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

enum { N = 256 };

// CHECK-DAG: {{^}}+MAI_STATIC(lu, "cyclic on threads");
// EXPLAIN-DAG: rows follow index i of the parallel loop in main() {{.*}}, units 32..255;
// EXPLAIN-DAG: rows follow index i of the parallel loop in main() {{.*}}, units 221..255;
static double lu[N][N];

// Here the bounds move by a few rows only.
// CHECK-DAG: {{^}}+MAI_STATIC(skewed, "block{{.*}});
static double skewed[N + 8][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      lu[i][j] = i == j ? N : 1.0 / (1 + i + j);
  for (int k = 0; k < N - 1; k++) {
#pragma omp parallel for
    for (int i = k + 1; i < N; i++) {
      lu[i][k] /= lu[k][k];
      for (int j = k + 1; j < N; j++)
        lu[i][j] -= lu[i][k] * lu[k][j];
    }
  }
  for (int t = 0; t < 8; t++) {
#pragma omp parallel for
    for (int i = t; i < t + N; i++)
      for (int j = 0; j < N; j++)
        skewed[i][j] += i * j;
  }
  printf("%g %g\n", lu[N - 1][N - 1], skewed[N][3]);
  return 0;
}
