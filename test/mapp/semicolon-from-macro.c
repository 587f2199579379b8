/* A declaration that a macro ends is not taken to go on to the next semicolon.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#define END ;

int main(void) {
  long sum = 0;
  // CHECK: {{^\+ *}}MAI_STATIC(plain, "block");
  static int plain[9000];
  // CHECK: c:[[#]]: ended: left alone: no declaration can follow it there
  static int ended[9000] END if (sum == 0) sum = 1; else sum = 2;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    plain[i] = ended[i] = i;
  for (int i = 0; i < 9000; i++)
    sum += plain[i] + ended[i];
  printf("%ld\n", sum);
  return 0;
}
