/* Each array of a declaration gets a line of its own behind it; variables and pointers get none.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

static double first[9000], *pointer, last[90][100], number;
// CHECK: {{^}}+MAI_STATIC(first, "block");
// CHECK-NEXT: {{^}}+MAI_STATIC(last, "block");
// CHECK-NOT: {{^}}+

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 100; j++)
      last[i][j] = i + j;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    first[i] = i;
  pointer = first;
  for (int i = 0; i < 9000; i++)
    number += pointer[i] * last[i / 100][i % 100];
  printf("%.0f\n", number);
  return 0;
}
