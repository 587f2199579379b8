/* In a construct that gives each thread a copy of an array, the copies are used, not the array.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --mode=heap %s 2>&1 | FileCheck %s
*/
#include <stdio.h>
#define N 1000

// CHECK: c:[[#]]: totals: left alone: used by one thread only
static int totals[2000];
// CHECK: c:[[#]]: scratch: left alone: not used in the files given
static int scratch[2000];

int main(void) {
#pragma omp parallel for reduction(+ : totals) private(scratch)
  for (int i = 0; i < N; i++) {
    scratch[i] = i;
    totals[i % 7] += scratch[i];
  }
  printf("%d\n", totals[3]);
  return 0;
}
