/* A variable may hide the name of its own type, so that the size of its memory could not be said.

   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

typedef double cell;

int main(void) {
  double sum = 0;
  // CHECK: {{^\+ *}}MAI_HEAP_LOCAL(seen, sizeof(cell[9000]), "block");
  static cell seen[9000];
  // CHECK: c:[[#]]: cell: left alone: after its declaration its name or its type means something else
  static cell cell[9000];
#pragma omp parallel for
  for (int i = 0; i < 9000; i++)
    seen[i] = cell[i] = i;
  for (int i = 0; i < 9000; i++)
    sum += seen[i] + cell[i];
  printf("%.0f\n", sum);
  return 0;
}
