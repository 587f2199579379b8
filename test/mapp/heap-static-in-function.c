/* The static arrays of a function become pointers, too.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

static double sum(double start) {
  // CHECK: {{^\+ *}}MAI_HEAP_LOCAL(inner, sizeof(double[9000]), "block");
  // CHECK: c:[[#]]: inner: block: elements follow
  static double inner[9000];
  double total = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    inner[i] += start + i;
  for (int i = 0; i < 9000; i++)
    total += inner[i];
  return total;
}

int main(void) {
  sum(1);
  printf("%.0f\n", sum(2));
  return 0;
}
