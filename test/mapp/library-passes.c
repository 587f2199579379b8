/* What functions of the C library go over counts as often as a loop that does the same: clearing, copying, reading from
   files and, some times over, sorting. So one thread's outweighs what threads do less often, and a thread's own part
   stays its own where it clears it each time.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 15 };

// CHECK-DAG: c:[[#@LINE+1]]: sums: left alone: one thread writes it first, in main()
static double sums[N];
// CHECK-DAG: c:[[#@LINE+1]]: last: left alone: one thread writes it first, in main()
static double last[N];
// CHECK-DAG: c:[[#@LINE+1]]: names: left alone: one thread writes it first, in main()
static int names[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(often, "block");
static double often[N];

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

static double *rows[64];

/* Each thread's row, cleared by itself, and added up by blocks. */
static void count(const int *keys) {
#pragma omp parallel
  {
    double *mine = rows[omp_get_thread_num()];
    memset(mine, 0, N * sizeof *mine);
#pragma omp for
    for (int i = 0; i < N; i++)
      mine[keys[i] % N]++;
#pragma omp for
    for (int i = 0; i < N; i++)
      for (int t = 0; t < omp_get_num_threads(); t++)
        often[i] += rows[t][i];
  }
}

int main(void) {
  const int team = omp_get_max_threads() < 64 ? omp_get_max_threads() : 64;
  omp_set_num_threads(team);
  for (int t = 0; t < team; t++)
    // CHECK-DAG: {{^\+}} rows[t] = MAI_PLACED_ROW(rows[t], malloc({{.*}}"block-cyclic 1" /* mapp: each thread has a part of its own
    rows[t] = malloc(N * sizeof(double));
  for (int step = 0; step < 4; step++) {
    memset(sums, 0, sizeof sums);
    memcpy(last, sums, sizeof last);
    for (int i = 0; i < N; i++)
      names[i] = (i * 7919 + step) % N;
    qsort(names, N, sizeof names[0], compare);
    count(names);
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    sums[i] += names[i];
    last[i] += sums[i];
  }
  printf("%g %g %g\n", sums[5], last[6], often[7]);
  return 0;
}
