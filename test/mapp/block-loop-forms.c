/* The bounds of a loop are found however its condition is written.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK-DAG: c:[[#]]: closed: block, 2000, 5001: elements follow
// CHECK-DAG: c:[[#]]: unequal: block, 2000, 5000: elements follow
// CHECK-DAG: c:[[#]]: swapped: block, 2000, 5000: elements follow
static double closed[10000], unequal[10000], swapped[10000];

int main(void) {
  double sum = 0;
  int i;
#pragma omp parallel
  {
#pragma omp for
    for (i = 2000; i <= 7000; i++)
      closed[i] = i;
#pragma omp for
    for (i = 2000; i != 7000; i++)
      unequal[i] = i;
#pragma omp for
    for (i = 2000; 7000 > i; i = i + 1)
      swapped[i] = i;
  }
  for (i = 0; i < 10000; i++)
    sum += closed[i] + unequal[i] + swapped[i];
  printf("%.0f\n", sum);
  return 0;
}
