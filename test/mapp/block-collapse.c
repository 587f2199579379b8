/* Of collapsed loops the outer one tells where a thread's share lies.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(plane, "block");
// CHECK: c:[[#]]: plane: block: rows follow index i of
static double plane[100][100];

int main(void) {
  double sum = 0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      plane[i][j] = i - j;
  for (int i = 0; i < 100; i++)
    sum += i * plane[i][99 - i];
  printf("%.0f\n", sum);
  return 0;
}
