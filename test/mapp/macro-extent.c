/* An extent that a macro gives is repeated as the source spells it, in parentheses: the rewritten
   text holds for other sizes, too.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite -o %t.c %s && %{gcc} -DSIZE='5000 + 1' %t.c -o %t.run %{mai}
   RUN: env MAI_REPORT=1 OMP_NUM_THREADS=2 %t.run 2>&1 | FileCheck %s --check-prefix=OTHER
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

#ifndef SIZE
#define SIZE 8000 + 1000
#endif
// CHECK: {{^}}+MAI_STATIC(inner, "block", 600, (SIZE) - 1200);
// CHECK: c:[[#]]: inner: block, 600, (SIZE) - 1200: elements follow
static double inner[SIZE];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 600; i < SIZE - 600; i++)
    inner[i] = 1;
  for (int i = 0; i < SIZE; i++)
    sum += inner[i];
  // OTHER-DAG: {{^}}sum 3801
  // OTHER-DAG: {{^}}inner {{.*}} block 600..4400 
  printf("sum %.0f\n", sum);
  return 0;
}
