/* Threads that share out two loops by their numbers, as in a grid of threads: an array is divided by the first of these that its
   elements move with, be it the inner one.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>

enum { SIDES = 8, GROUPS = 64, CELLS = 4096 };

// CHECK-DAG: c:[[#@LINE+1]]: flux: block: rows follow index group of the parallel loop in sweep()
static double flux[GROUPS][CELLS];
// CHECK-DAG: c:[[#@LINE+1]]: leaving: block: rows follow index side of the parallel loop in sweep()
static double leaving[SIDES][GROUPS][CELLS];

static void sweep(int across) {
  const int me = omp_get_thread_num(), along = omp_get_num_threads() / across;
  for (int side = SIDES * (me / along) / across; side < SIDES * (me / along + 1) / across; side++)
    for (int group = GROUPS * (me % along) / along; group < GROUPS * (me % along + 1) / along; group++)
      for (int i = 0; i < CELLS; i++) {
#pragma omp atomic
        flux[group][i] += side;
        leaving[side][group][i] += flux[group][i] * 0 + side;
      }
}

int main(void) {
  for (int k = 0; k < 10; k++)
#pragma omp parallel
    sweep(1);
  printf("%g %g\n", flux[3][5], leaving[7][3][5]);
  return 0;
}
