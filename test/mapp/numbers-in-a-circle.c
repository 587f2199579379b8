/* Numbers that were assigned to one another in a circle tell no more than themselves: the size is followed once around.

   RUN: mapp-rewrite --report text %s 2>&1 >/dev/null | FileCheck %s
   RUN: %{run-rewritten} %t %s
   CHECK: numbers: block
*/
#include <stdio.h>
#include <stdlib.h>

static double sum(long rows, long columns) {
  long count = rows * columns, same = count;
  count = same;
  double *numbers = malloc((size_t)count * sizeof *numbers), all = 0;
#pragma omp parallel for
  for (long i = 0; i < count; i++)
    numbers[i] = (double)i;
#pragma omp parallel for reduction(+ : all)
  for (long i = 0; i < count; i++)
    all += numbers[i];
  free(numbers);
  return all;
}

int main(void) {
  printf("%.0f\n", sum(1000, 300));
  return 0;
}
