/* A loop over a part of the array divides that part, not the array.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(part, "block", 2000, 5000);
// CHECK: c:[[#]]: part: block, 2000, 5000: elements follow index i
static double part[10000];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 2000; i < 7000; i++)
    part[i] = i;
  for (int i = 0; i < 10000; i++)
    sum += part[i];
  printf("%.0f\n", sum);
  return 0;
}
