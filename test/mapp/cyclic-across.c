/* Where the parallel index drives a faster dimension than the slowest, every thread walks through
   all of the array: it is spread over the threads' nodes.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(across, "cyclic on threads");
// CHECK: c:[[#]]: across: cyclic on threads: index i of the parallel loop in main() drives dimension 2 (
static double across[100][50][2];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 50; i++)
    for (int k = 0; k < 100; k++)
      across[k][i][0] = across[k][i][1] = k - i;
  for (int k = 0; k < 100; k++)
    sum += k * across[k][k / 2][k % 2];
  printf("%.0f\n", sum);
  return 0;
}
