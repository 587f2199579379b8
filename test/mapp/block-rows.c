/* Rows that a loop allocates one by one go each to its thread; rows in one block behind a table of
   pointers go by its elements; what belongs to no row that the source names is left alone.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n, m;
  double **row;
};

static void allocate(struct grid *g, int n, int m) {
  g->n = n;
  g->m = m;
  // CHECK: {{^\+}}  g->row = MAI_PLACED(g->row, malloc(MAI_BYTES((size_t)n * sizeof *g->row)), sizeof(double *), MAI_BLOCK
  g->row = malloc((size_t)n * sizeof *g->row);
  for (int i = 0; i < n; i++) {
    // CHECK: {{^\+}}    double *row = MAI_PLACED_ROW(row, malloc(MAI_BYTES((size_t)m * sizeof *row)), (unsigned long)i, (unsigned long)n, MAI_BLOCK
    double *row = malloc((size_t)m * sizeof *row);
    if (!row)
      abort();
    g->row[i] = row;
  }
}

int main(int argc, char **argv) {
  (void)argv;
  struct grid g;
  int n = 300 + argc, m = 700;
  allocate(&g, n, m);
  double **table = malloc((size_t)n * sizeof *table);
  // CHECK: {{^\+}}  table[0] = MAI_PLACED(table[0], malloc(MAI_BYTES((size_t)n * (size_t)m * sizeof **table)), sizeof(double), MAI_BLOCK
  table[0] = malloc((size_t)n * (size_t)m * sizeof **table);
  for (int i = 1; i < n; i++)
    table[i] = table[0] + (size_t)i * (size_t)m;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      g.row[i][j] = table[i][j] = i + j;
  double *list[8];
  for (int k = 0, next = 0; k < 8; k++, next = (next + 3) % 8)
    // CHECK: c:[[#@LINE+1]]: list[next]: left alone: a loop allocates the rows of a matrix, {{.*}} [MAPP042]
    list[next] = malloc(80000);
#pragma omp parallel for
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 10000; j++)
      list[k][j] = j;
  printf("%g %g %g\n", g.row[n - 1][m - 1], table[1][0], list[7][9999]);
  for (int i = 0; i < n; i++)
    free(g.row[i]);
  for (int k = 0; k < 8; k++)
    free(list[k]);
  free(g.row);
  free(table[0]);
  free(table);
  return 0;
}
