/* Functions that return a place in what they get are as good as subscripts: of a block, of what a struct points to, of a row; also
   behind checks, and with variables of their own.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, columns;
  double *cells;
  double **row;
} grid;

static double *cell(grid *g, int i, int j) {
  assert(i >= 0 && i < g->rows);
  assert(j >= 0 && j < g->columns);
  return &g->cells[(size_t)i * (size_t)g->columns + (size_t)j];
}

static double *row_of(const grid *g, int i) { return g->row[i]; }

static double *within(double *start, int i, int j, int columns) {
  int at = i * columns;
  at = at + j;
  return start + at;
}

static int index_of(int i, int j, int columns) {
  const int before = i * columns;
  ;
  return before + j;
}

int main(void) {
  int n = 600;
  grid g = {n, n, NULL, malloc((size_t)n * sizeof(double *))};
  // CHECK-DAG: c:[[#@LINE+1]]: g.cells: block: elements follow index i of the parallel loop in main()
  g.cells = malloc((size_t)n * (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++)
    // CHECK-DAG: c:[[#@LINE+1]]: g.row[i]: block{{.*}}: elements that row delimits follow index i
    g.row[i] = malloc((size_t)n * sizeof(double));
  // CHECK-DAG: c:[[#@LINE+1]]: mirrored: block reversed: elements follow index i
  double *mirrored = malloc((size_t)n * (size_t)n * sizeof(double));
  // CHECK-DAG: c:[[#@LINE+1]]: other: block: elements follow index i
  double *other = malloc((size_t)n * (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      *cell(&g, i, j) = row_of(&g, i)[j] = mirrored[i * n + j] = other[i * n + j] = i + j;
  for (int k = 0; k < 20; k++)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        *cell(&g, i, j) += 1;
        row_of(&g, i)[j] += 2;
        *within(mirrored, n - 1 - i, j, n) += 3;
        other[index_of(i, j, n)] += 4;
      }
  printf("%g %g %g %g\n", g.cells[5], g.row[3][4], mirrored[n], other[n]);
  return 0;
}
