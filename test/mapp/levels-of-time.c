/* Two or three levels of time lie one behind the other in one block, and which of them is which the number of the step says. Threads write
   each level first, but for the one element where a source is, however often that is written: who writes first knows where the levels
   begin. So it does not if one thread fills the block, be it by a counter, or writes elements that data tell.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Columns = 200 };

static void step(const float *old, float *now, const float *speed, long rows) {
#pragma omp parallel for
  for (long i = 1; i < rows - 1; i++)
    for (long j = 1; j < Columns - 1; j++) {
      const long at = i * Columns + j;
      now[at] = speed[at] * (old[at - 1] + old[at + 1] + old[at - Columns] + old[at + Columns]);
    }
}

static void mix(const double *old, double *now, long n) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    now[i] = (old[i - 1] + old[i + 1]) / 2;
}

static double *counted;
static long used;

static void add(double value) {
  counted[used] = value;
  used++;
}

int main(int argc, char **argv) {
  const long rows = argc > 1 ? atol(argv[1]) : 100, n = rows * Columns;
  // CHECK-DAG: c:[[#@LINE+1]]: waves: local: threads write it first: elements follow index i of the parallel loop in step()
  float *waves = calloc((size_t)(2 * n), sizeof *waves);
  // CHECK-DAG: c:[[#@LINE+1]]: speed: block{{.*}}: elements follow index i of the parallel loop in step()
  float *speed = malloc((size_t)n * sizeof *speed);
  // CHECK-DAG: c:[[#@LINE+1]]: levels: local: threads write it first: elements follow index i of the parallel loop in mix()
  double *levels = calloc((size_t)(3 * n), sizeof *levels);
  // CHECK-DAG: c:[[#@LINE+1]]: hit: block: elements follow index i of the parallel loop in mix()
  double *hit = calloc((size_t)(2 * n), sizeof *hit);
  // CHECK-DAG: c:[[#@LINE+1]]: filled: block: elements follow index i of the parallel loop in mix()
  double *filled = malloc((size_t)(2 * n) * sizeof *filled);
  // CHECK-DAG: c:[[#@LINE+1]]: counted: block: elements follow index i of the parallel loop in mix()
  counted = malloc((size_t)(2 * n) * sizeof *counted);
  long *where = malloc((size_t)n * sizeof *where);
  for (long i = 0; i < n; i++) {
    speed[i] = 0.2f;
    where[i] = i * 7 % n;
  }
  for (long i = 0; i < 2 * n; i++)
    filled[i] = (double)i;
  for (long i = 0; i < 2 * n; i++)
    add((double)i);
  for (int k = 0; k < 200; k++) {
    float *old = waves + k % 2 * n, *now = waves + (k + 1) % 2 * n;
    old[n / 2] += 1;
    step(old, now, speed, rows);
    levels[(k & 1) * n + 5] = k;
    mix(levels + (k & 1) * n, levels + (1 - (k & 1)) * n, n);
    hit[where[k]] = k;
    mix(hit + k % 2 * n, hit + (k + 1) % 2 * n, n);
    mix(counted + k % 2 * n, counted + (k + 1) % 2 * n, n);
    mix(filled + k % 2 * n, filled + (k + 1) % 2 * n, n);
  }
  printf("%g %g %g %g %g\n", waves[n / 2 + 1], levels[7], hit[8], filled[9], counted[9]);
  return 0;
}
