/* Grids lie one behind the other in one block, and a function makes a table of pointers to the rows of that which it gets. The threads write
   each grid first, each its rows: so the block is left to that. A block that such a table holds all of is divided.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Levels = 4 };

static long side[Levels], begin[Levels];

static double **rows_of(double *grid, long n) {
  double **row = malloc((size_t)n * sizeof *row);
  for (long i = 0; i < n; i++)
    row[i] = grid + i * n;
  return row;
}

static void clear(double *grid, long n) {
  double **row = rows_of(grid, n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      row[i][j] = 0;
  free(row);
}

static void smooth(double *grid, long n) {
  double **row = rows_of(grid, n);
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        row[i][j] = (row[i][j - 1] + row[i][j + 1]) / 2 + 1;
  }
  free(row);
}

static void double_rows(double **row, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      row[i][j] = 2 * (double)j;
}

int main(int argc, char **argv) {
  long all = 0;
  for (int l = 0; l < Levels; l++) {
    side[l] = (argc > 1 ? atol(argv[1]) : 256) >> l;
    begin[l] = all;
    all += side[l] * side[l];
  }
  // CHECK-DAG: c:[[#@LINE+1]]: grids: local: threads write it first: elements that row delimits follow index i of the parallel loop in clear()
  double *grids = malloc((size_t)all * sizeof *grids);
  // CHECK-DAG: c:[[#@LINE+1]]: alone: block{{.*}}: elements that row delimits follow index i of the parallel loop in double_rows()
  double *alone = malloc((size_t)(side[0] * side[0]) * sizeof *alone);
  for (int l = 0; l < Levels; l++)
    clear(&grids[begin[l]], side[l]);
  for (int l = 0; l < Levels; l++)
    smooth(&grids[begin[l]], side[l]);
  double **row = rows_of(alone, side[0]);
  double_rows(row, side[0]);
  printf("%g %g\n", grids[begin[1] + side[1] + 1], alone[side[0] + 3]);
  return 0;
}
