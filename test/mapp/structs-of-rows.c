/* Structs that hold tables of rows are told apart: what one is used for is not what another is, also where functions get the structs,
   or one of them allocates a struct's rows. Of a struct of which only the type is known all such may be meant.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  int rows, columns;
  double **row;
};

static void create(struct matrix *m, int rows, int columns) {
  m->rows = rows;
  m->columns = columns;
  m->row = malloc((size_t)rows * sizeof *m->row);
  for (int i = 0; i < rows; i++)
    // CHECK-DAG: c:[[#@LINE+1]]: m->row[i]: block: elements that row delimits follow index i
    m->row[i] = malloc((size_t)columns * sizeof **m->row);
}

static void add(struct matrix *by_rows, struct matrix *by_all) {
#pragma omp parallel for
  for (int i = 0; i < by_rows->rows; i++)
    for (int j = 0; j < by_rows->columns; j++)
      by_rows->row[i][j] += j;
#pragma omp parallel for
  for (int i = 0; i < by_all->columns; i++)
    for (int j = 0; j < by_all->rows; j++)
      by_all->row[j][i] += j;
}

int main(void) {
  int n = 1024;
  struct matrix by_rows, by_all = {n, n, malloc((size_t)n * sizeof(double *))};
  create(&by_rows, n, n);
  for (int i = 0; i < n; i++)
    // CHECK-DAG: c:[[#@LINE+1]]: by_all.row[i]: left alone: one thread writes it first, in main()
    by_all.row[i] = malloc((size_t)n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      by_rows.row[i][j] = by_all.row[i][j] = i;
  for (int k = 0; k < 20; k++)
    add(&by_rows, &by_all);
  printf("%g\n", by_rows.row[5][7] + by_all.row[9][3]);
  return 0;
}
