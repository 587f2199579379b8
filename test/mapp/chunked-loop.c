/* A parallel loop over chunks, with a loop over each chunk inside, gives each thread a contiguous share;
   what just one element is touched by counts little; C11's atomic operations are accesses. Chunks whose number is computed are as many
   as the length of the array says.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK: chunks: block: elements follow index c of the parallel loop in main() (
static double chunks[12800];
// CHECK: handed: block: elements follow index c of the parallel loop in main() (
static double handed[12800];
// CHECK: counted: block: elements follow index c of the parallel loop in main(){{.*}} [MAPP001]
static double counted[12800];
// CHECK: atomics: block: elements follow index i of the parallel loop in main() (
static _Atomic int atomics[12800];

static int length = 1 << 15;

static void add(double *restrict to, const double *restrict from, int begin, int end) {
  for (int i = begin; i < end; i++)
    to[i] += from[i] + 1;
}

static void cut_up(double *cut) {
  enum { SIZE = 100 };
#pragma omp parallel for
  for (int c = 0; c < (length + SIZE - 1) / SIZE; c++) {
    const int begin = c * SIZE, end = begin + SIZE < length ? begin + SIZE : length;
    for (int i = begin; i < end; i++)
      cut[i] += 1;
  }
}

int main(void) {
  // CHECK: cut: block: elements follow index c of the parallel loop in cut_up() (
  double *cut = malloc((size_t)length * sizeof *cut);
  for (int i = 0; i < length; i++)
    cut[i] = i;
  for (int t = 0; t < 9; t++)
    cut_up(cut);
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
  printf("%.0f %d\n", chunks[12799] + handed[12799] + counted[7] + cut[7], atomics[9]);
  return 0;
}
