/* What every thread reads, and no cache holds, is spread over the threads' nodes.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(table, "cyclic on threads");
// CHECK: c:[[#]]: table: cyclic on threads: every thread goes over it in main(); read only after it is filled (
static double table[200000];

int main(void) {
  double sum = 0;
  for (int k = 0; k < 200000; k++)
    table[k] = k;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 200000; k++)
      sum += i * table[k];
  printf("%.0f\n", sum);
  return 0;
}
