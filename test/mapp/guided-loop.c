/* The pieces of a guided loop are large at first, so that its threads begin in different parts of what they go over: what other
   loops divide is divided. Threads that get small pieces from the first on go over it together, all at one memory if it is divided.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#include <stdio.h>

enum { N = 1 << 20 };

// CHECK-DAG: guided: block: elements follow index i
static double guided[N];
// CHECK-DAG: dynamic: cyclic on threads: schedule(dynamic) distributes
static double dynamic[N];

int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    guided[i] = dynamic[i] = i;
  for (int step = 0; step < 50; step++) {
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++)
      guided[i] += 1;
#pragma omp parallel for schedule(monotonic : dynamic, 8)
    for (int i = 0; i < N; i++)
      dynamic[i] += 1;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += guided[i] + dynamic[i];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum -= guided[i] * dynamic[i];
  }
  printf("%g\n", sum);
}
