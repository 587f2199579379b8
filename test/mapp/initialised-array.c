/* An initialised array keeps what it was initialised with.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(numbers, "block");
static int numbers[9000] = {
    1, 2, 3, [4500] = 4, [8999] = 5,
};

int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    numbers[i] += 10;
  for (int i = 0; i < 9000; i++)
    sum += (long)numbers[i] * i;
  printf("%d %d %d %ld\n", numbers[1], numbers[4500], numbers[8999], sum);
  return 0;
}
