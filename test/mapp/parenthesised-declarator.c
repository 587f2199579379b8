/* The name of an array may stand in parentheses of its own.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s --check-prefix=HEAP
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: {{^\+ *}}MAI_STATIC(large, "block");
// HEAP: c:[[#]]: large: left alone: its declaration is not of the form `static type name[...]`
static int *counter, (large)[9000], count;

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    large[i] = i;
  counter = &count;
  for (int i = 0; i < 9000; i++)
    *counter += large[i];
  printf("%d\n", count);
  return 0;
}
