/* A parallel loop over chunks, with a loop over each chunk inside, gives each thread a contiguous share;
   what just one element is touched by counts little; C11's atomic operations are accesses.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdatomic.h>
#include <stdio.h>

// CHECK: chunks: block: elements follow index c of the parallel loop in main() (
static double chunks[12800];
// CHECK: handed: block: elements follow index c of the parallel loop in main() (
static double handed[12800];
// CHECK: counted: block: elements follow index c of the parallel loop in main(){{.*}} [MAPP001]
static double counted[12800];
// CHECK: atomics: block: elements follow index i of the parallel loop in main() (
static _Atomic int atomics[12800];

static void add(double *restrict to, const double *restrict from, int begin, int end) {
  for (int i = begin; i < end; i++)
    to[i] += from[i] + 1;
}

int main(void) {
#pragma omp parallel for
  for (int c = 0; c < 12800; c += 128)
    for (int i = c; i < c + 128; i++) {
      chunks[i] = counted[i] = i;
#pragma omp atomic
      counted[5] += 1;
    }
#pragma omp parallel for
  for (int c = 0; c < 12800; c += 100)
    add(handed, chunks, c, c + 100 < 12800 ? c + 100 : 12800);
#pragma omp parallel for
  for (int i = 0; i < 12800; i++)
    atomic_fetch_add(&atomics[i], i);
  printf("%.0f %d\n", chunks[12799] + handed[12799] + counted[7], atomics[9]);
  return 0;
}
