/* A program in C89, without any extension.

   RUN: %{try} %{program} -std=c89 -pedantic-errors -Wdeclaration-after-statement
   CHECK: MAPP001 field: block
   CHECK: MAPP001 inner: block
*/
#include <stdio.h>
static double field[5000];

int main(void) {
  static int inner[5000];
  int i;
  double sum = 0;
#pragma omp parallel for
  for (i = 0; i < 5000; i++)
    field[i] = inner[i] = i;
  for (i = 0; i < 5000; i++)
    sum += field[i] + inner[i];
  printf("%g\n", sum);
  return 0;
}
