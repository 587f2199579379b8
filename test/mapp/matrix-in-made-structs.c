/* A function makes structs and has another one make the matrix in each, by rows or in one block. What lies behind the tables is
   divided, although several calls make structs and the tables are those of each.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
   RUN: %{run-rewritten} %t.run %s
*/
#include <stdio.h>
#include <stdlib.h>

struct field {
  int rows, columns;
  double **at, **by_rows;
};

static double **matrix(int rows, int columns) {
  double **table = malloc(rows * sizeof *table);
  // CHECK: {{^\+}}{{.*}}MAI_PLACED_NEW(all, {{.*}}"block", 1, (unsigned long)rows - 2
  double *all = calloc((size_t)rows * columns, sizeof *all);
  for (int i = 0; i < rows; i++)
    table[i] = all + (size_t)i * columns;
  return table;
}

static double **rows_of(int rows, int columns) {
  double **table = malloc(rows * sizeof *table);
  for (int i = 0; i < rows; i++)
    // CHECK: {{^\+}}{{.*}}MAI_PLACED_ROW(table[i], {{.*}}"block", 1, (unsigned long)rows - 2
    table[i] = calloc(columns, sizeof *table[i]);
  return table;
}

static struct field *field_new(int rows, int columns) {
  struct field *f = malloc(sizeof *f);
  f->rows = rows;
  f->columns = columns;
  f->at = matrix(rows, columns);
  f->by_rows = rows_of(rows, columns);
  return f;
}

static void add(const struct field *from, struct field *to) {
#pragma omp parallel for
  for (int i = 1; i < from->rows - 1; i++)
    for (int j = 0; j < from->columns; j++) {
      to->at[i][j] += from->at[i - 1][j] + from->at[i + 1][j] + i;
      to->by_rows[i][j] += from->by_rows[i - 1][j] + from->by_rows[i + 1][j] + j;
    }
}

int main(void) {
  struct field *a = field_new(40, 2000), *b = field_new(40, 2000);
  for (int step = 0; step < 3; step++) {
    add(a, b);
    add(b, a);
  }
  printf("%g %g\n", a->at[20][5], b->by_rows[20][5]);
  return 0;
}
