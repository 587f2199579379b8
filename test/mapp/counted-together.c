/* One thread puts the rows of a matrix together, and several statements of the loop count its elements on: together they make one pass
   over it, so that the threads' products outweigh them. What it fills in passes of their own outweighs one.

   RUN: mapp-rewrite %s 2>&1 >/dev/null | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
// CHECK-DAG: new.value: block along new.start: elements that start delimits follow index i of the parallel loop in multiply()
// CHECK-DAG: often: left alone: one thread writes it first
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  int rows, *start;
  double *value;
};

static void multiply(const struct matrix *of, double *y) {
  const int *start = of->start;
  const double *value = of->value;
#pragma omp parallel for
  for (int i = 0; i < of->rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k];
    y[i] += sum;
  }
}

static struct matrix create(int rows, int elements) {
  struct matrix new;
  new.rows = rows;
  new.start = malloc(((size_t)rows + 1) * sizeof(int));
  new.value = malloc((size_t)elements * sizeof(double));
  return new;
}

static struct matrix assemble(int m) {
  struct matrix of = create(m * m * m, 7 * m * m * m);
  int at = 0;
  for (int z = 0; z < m; z++)
    for (int y = 0; y < m; y++)
      for (int x = 0; x < m; x++) {
        of.start[(z * m + y) * m + x] = at;
        if (z > 0)
          of.value[at++] = -1;
        if (y > 0)
          of.value[at++] = -1;
        if (x > 0)
          of.value[at++] = -1;
        of.value[at++] = 6;
        if (x < m - 1)
          of.value[at++] = -1;
        if (y < m - 1)
          of.value[at++] = -1;
        if (z < m - 1)
          of.value[at++] = -1;
      }
  of.start[of.rows] = at;
  return of;
}

static struct matrix halves(int rows) {
  struct matrix of = create(rows, rows);
  for (int i = 0; i < rows; i++) {
    of.start[i] = i;
    of.value[i] = 0.5;
  }
  of.start[rows] = rows;
  return of;
}

/* Pass after pass. */
static void count(int m, double *often) {
  for (int pass = 0; pass < 50; pass++) {
    int at = 0;
    for (int z = 0; z < m; z++)
      for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++)
          often[at++] += x + y;
  }
}

int main(int argc, char **argv) {
  int m = argc > 1 ? atoi(argv[1]) : 34, n = m * m * m;
  struct matrix a = assemble(m), b = halves(n);
  double *often = calloc((size_t)n, sizeof *often), *y = calloc((size_t)n, sizeof *y);
  count(m, often);
  multiply(&a, y);
  multiply(&b, y);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] += often[i];
  printf("%g %g\n", y[0], y[n / 2]);
  return 0;
}
