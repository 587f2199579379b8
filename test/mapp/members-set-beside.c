/* A function stores the number by which it allocates in a struct, before it does or behind: it is the number that others read there, and says how long
   the rows are whose columns threads divide, and which rows they go over. Not where it sets the member to two numbers.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct table {
  long rows, columns, halo;
  double *values, *rest;
};

static struct table *make(long rows, long columns, long halo) {
  struct table *t = malloc(sizeof *t);
  t->columns = columns;
  // CHECK-DAG: {{^\+}}  t->values = MAI_PLACED_NEW_2D(t->values, {{.*}}, 8 * (unsigned long)columns, sizeof(double), "block by columns" /*
  t->values = malloc((size_t)(rows * columns) * sizeof *t->values);
  // CHECK-DAG: {{^\+}}  t->rest = MAI_PLACED_NEW(t->rest, {{.*}}, sizeof(double), "block", 0, (unsigned long)(rows * columns) /*
  t->rest = malloc((size_t)(rows * columns + halo) * sizeof *t->rest);
  t->rows = rows * columns;
  t->halo = halo;
  if (halo > columns)
    t->halo = columns;
  return t;
}

static void add(struct table *t, long rows) {
  for (long r = 0; r < rows; r++) {
#pragma omp parallel for
    for (long c = 0; c < t->columns; c++)
      t->values[r * t->columns + c] += 1;
  }
#pragma omp parallel for
  for (long i = 0; i < t->rows; i++)
    t->rest[i] += (double)t->halo;
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 40;
  struct table *t = make(n / 4, 100 * n, n);
  for (long i = 0; i < n / 4 * 100 * n; i++)
    t->values[i] = t->rest[i] = 0;
  for (int step = 0; step < 5; step++)
    add(t, n / 4);
  printf("%g %g\n", t->values[n], t->rest[n]);
}
