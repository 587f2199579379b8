/* A function stores the number by which it allocates in a struct, before it does or behind: it is the number that others read there, and says how long
   the rows are whose columns threads divide, and which rows they go over. So it is in a struct of the function's own, whatever the number was made
   from, be it in a list. Not where it sets the member to two numbers.

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

struct wide {
  long rows, width;
  double *values;
};

static void scale(const struct wide *w) {
#pragma omp parallel for
  for (long r = 0; r < w->rows; r++)
    for (long k = 0; k < w->width; k++)
      w->values[k * w->rows + r] *= 2;
}

static double listed(const char *rows) {
  struct wide w = {atol(rows), 0, NULL};
  for (long k = 0; k < w.rows; k++)
    w.width = k % 7 > w.width ? k % 7 : w.width;
  // CHECK-DAG: {{^\+}}  w.values = MAI_PLACED_NEW_2D(w.values, {{.*}}, 8 * (unsigned long)(w.rows), sizeof(double), "block by columns", 0, (unsigned long)(w.rows) /*
  w.values = malloc((size_t)w.rows * w.width * sizeof *w.values);
  for (long i = 0; i < w.rows * w.width; i++)
    w.values[i] = (double)i;
  for (int step = 0; step < 5; step++)
    scale(&w);
  const double last = w.values[w.rows * w.width - 1];
  free(w.values);
  return last;
}

struct sheet {
  long rows, columns;
  double *values;
};

static void halve(const struct sheet *s) {
#pragma omp parallel for
  for (long c = 0; c < s->columns; c++)
    for (long r = 0; r < s->rows; r++)
      s->values[r * s->columns + c] /= 2;
}

static double set(const char *rows, const char *columns) {
  struct sheet s = {0};
  s.rows = atol(rows);
  s.columns = atol(columns);
  // CHECK-DAG: {{^\+}}  s.values = MAI_PLACED_NEW_2D(s.values, {{.*}}, 8 * (unsigned long)(s.columns), sizeof(double), "block by columns", 0, (unsigned long)(s.columns) /*
  s.values = malloc((size_t)s.rows * s.columns * sizeof *s.values);
  for (long i = 0; i < s.rows * s.columns; i++)
    s.values[i] = (double)i;
  for (int step = 0; step < 5; step++)
    halve(&s);
  const double last = s.values[s.rows * s.columns - 1];
  free(s.values);
  return last;
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 40;
  struct table *t = make(n / 4, 100 * n, n);
  for (long i = 0; i < n / 4 * 100 * n; i++)
    t->values[i] = t->rest[i] = 0;
  for (int step = 0; step < 5; step++)
    add(t, n / 4);
  printf("%g %g %g %g\n", t->values[n], t->rest[n], listed("3000"), set("40", "500"));
}
