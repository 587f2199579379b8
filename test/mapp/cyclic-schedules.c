/* Iterations that are distributed, at run time or in small chunks, leave no block to a thread.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(dynamic, "cyclic on threads");
// CHECK: c:[[#]]: dynamic: cyclic on threads: schedule(dynamic) distributes its elements in main() (
// CHECK: c:[[#]]: chunks: cyclic on threads: schedule(static, 4) distributes its elements in main() (
// CHECK: c:[[#]]: even: block: elements follow index i
static double dynamic[1000], chunks[1000], even[1000];

int main(void) {
  double sum = 0;
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int i = 0; i < 1000; i++)
    dynamic[i] = i;
#pragma omp parallel for schedule(static, 4)
  for (int i = 0; i < 1000; i++)
    chunks[i] = i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 1000; i++)
    even[i] = i;
  for (int i = 0; i < 1000; i++)
    sum += dynamic[i] + i * chunks[i] - even[i];
  printf("%.0f\n", sum);
  return 0;
}
