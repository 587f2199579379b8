/* A static array of a function is placed inside of it, with the indentation of its declaration.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

int main(void) {
  double sum = 0;
  {
//      CHECK:     static double inner[9000];
// CHECK-NEXT:+    MAI_STATIC(inner, "block");{{.*}}
    static double inner[9000];
    static double unused;
#pragma omp parallel for
    for (int i = 0; i < 9000; i++)
      inner[i] = i + unused;
    for (int i = 0; i < 9000; i++)
      sum += inner[i];
  }
  printf("%.0f\n", sum);
  return 0;
}
