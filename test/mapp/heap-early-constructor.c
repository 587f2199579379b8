/* A constructor that runs before MAi's would find a pointer to nothing: arrays stay arrays.  In
   place it finds the array, and what it writes is kept.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK-NOT: {{^\+}}
// CHECK: c:[[#]]: early: left alone: the constructor first() may run before MAi has its memory
static int early[9000];

__attribute__((constructor(101))) static void first(void) { early[3] = 7; }

int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    early[i] += i;
  for (int i = 0; i < 9000; i++)
    sum += early[i];
  printf("%ld\n", sum);
  return 0;
}
