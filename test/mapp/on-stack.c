/* Large automatic arrays that threads share are reported, with advice; what one thread uses, or each
   has for itself, is not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: not mapp-rewrite --strict -q %s
*/
#include <stdio.h>

static void fill(int n) {
  // CHECK: c:[[#@LINE+1]]: shared: left alone: it lies on the stack of the thread that calls fill(): make it static, or allocate it [MAPP043]
  double shared[n][100], serial[100000];
  // CHECK-NEXT: c:[[#@LINE+1]]: fixed: left alone: it lies on the stack
  double fixed[100000];
  // CHECK-NOT: serial
  // CHECK-NOT: own
  for (int i = 0; i < 100000; i++)
    serial[i] = i;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double own[20000];
    for (int j = 0; j < 100; j++)
      shared[i][j] = fixed[100 * i + j] = own[j] = i + j;
  }
  printf("%g %g %g\n", shared[1][2], fixed[5], serial[4]);
}

/* In a region of its callers. */
static void fill_orphaned(int n) {
#pragma omp for
  for (int i = 0; i < n; i++) {
    double own[n];
    for (int j = 0; j < n; j++)
      own[j] = i + j;
    if (own[n - 1] < 0)
      printf("%g\n", own[1]);
  }
}

int main(void) {
  fill(1000);
#pragma omp parallel
  fill_orphaned(1000);
  return 0;
}
