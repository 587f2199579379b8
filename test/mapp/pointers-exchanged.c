/* A function keeps the pointers that it gets in variables of its own, and exchanges them: what one caller gives it, a row of
   the grid, is none of what another one gives it, a thread's own line.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK-DAG: grid: block
// CHECK-DAG: spare: block
// CHECK-DAG: lines[t]: block-cyclic 1
static void smooth(double *line, double *other, int n) {
  double *from = line, *to = other;
  for (int round = 0; round < 4; round++) {
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
    to[0] = from[0];
    to[n - 1] = from[n - 1];
    double *last = from;
    from = to;
    to = last;
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 200, team = omp_get_max_threads();
  double *grid = malloc((size_t)n * n * sizeof *grid), *spare = malloc((size_t)n * n * sizeof *spare);
  double **lines = malloc(team * sizeof *lines);
  for (int t = 0; t < team; t++)
    lines[t] = malloc(2 * n * sizeof **lines);
  for (int i = 0; i < n * n; i++)
    grid[i] = spare[i] = i % 11;
  for (int step = 0; step < 5; step++) {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      smooth(grid + (size_t)j * n, spare + (size_t)j * n, n);
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
      double *mine = lines[omp_get_thread_num()];
      for (int i = 0; i < n; i++)
        mine[i] = grid[(size_t)j * n + i];
      smooth(mine, mine + n, n);
      for (int i = 0; i < n; i++)
        grid[(size_t)j * n + i] = mine[i];
    }
  }
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += grid[i] * (i % 5);
  printf("%.6f\n", sum);
  for (int t = 0; t < team; t++)
    free(lines[t]);
  free(lines), free(spare), free(grid);
}
