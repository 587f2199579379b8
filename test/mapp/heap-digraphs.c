/* Brackets may be spelt <: and :>.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^\+ *}}static int (*restrict rows)<:3:>;
// CHECK: {{^\+ *}}MAI_HEAP(rows, sizeof(int<:5000:><:3:>), "block");
static int rows<:5000:><:3:>;

int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    rows<:i:><:1:> = i;
  for (int i = 0; i < 5000; i++)
    sum += rows<:i:><:1:>;
  printf("%ld\n", sum);
  return 0;
}
