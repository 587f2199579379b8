/* An ordinary constructor runs after MAi's and may use the pointers.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^\+ *}}MAI_HEAP(late, sizeof(int[9000]), "block");
static int late[9000];

__attribute__((constructor)) static void later(void) { late[3] = 7; }

int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    late[i] += i;
  for (int i = 0; i < 9000; i++)
    sum += late[i];
  printf("%ld\n", sum);
  return 0;
}
