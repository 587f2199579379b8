/* A recursion that makes tasks is run by the whole team, whoever starts it. Its array is divided: of most tasks all data are
   on one node then.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

// CHECK: table: block: used by tasks or sections in add() (
static double table[140000];

static void add(double *a, int n) {
  if (n <= 64) {
    for (int i = 0; i < n; i++)
      a[i] += i;
    return;
  }
#pragma omp task
  add(a, n / 2);
#pragma omp task
  add(a + n / 2, n - n / 2);
#pragma omp taskwait
}

int main(void) {
  double sum = 0;
  for (int step = 0; step < 5; step++) {
#pragma omp parallel
#pragma omp single
    add(table, 140000);
  }
  for (int i = 0; i < 140000; i++)
    sum += table[i];
  printf("%.0f\n", sum);
  return 0;
}
