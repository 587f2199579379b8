/* Where nothing tells which of several strides is the longest, as of a sweep whose direction the run decides, the outermost loop is taken to go over the
   slowest part: if threads divide that one the array is divided, if they divide one inside of it, it is not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void by_branches(double *q, int n, int direction) {
  long along, a, b;
  if (direction == 0) {
    along = 1;
    a = (long)n * n;
    b = n;
  } else if (direction == 1) {
    along = n;
    a = (long)n * n;
    b = 1;
  } else {
    along = (long)n * n;
    a = n;
    b = 1;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 1; k < n; k++)
        q[i * a + j * b + k * along] += q[i * a + j * b + (k - 1) * along] / 2;
}

static void by_tables(double *q, int n, int direction) {
  const long stride[3] = {1, n, (long)n * n};
  const int outer = direction == 2 ? 1 : 2, inner = direction == 0 ? 1 : 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *line = q + i * stride[outer] + j * stride[inner];
      for (int k = 1; k < n; k++)
        line[k * stride[direction]] += line[(k - 1) * stride[direction]] / 2;
    }
}

static void inside(double *q, int n, int direction) {
  const long stride[3] = {1, n, (long)n * n};
#pragma omp parallel
  for (int i = 1; i < n; i++)
#pragma omp for
    for (int j = 0; j < n; j++)
      q[i * stride[direction] + j * stride[2 - direction]] += 1;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 40;
  const size_t cells = (size_t)n * (size_t)n * (size_t)n;
  // CHECK-DAG: c:[[#@LINE+1]]: branches: block: elements follow index i of the parallel loop in by_branches()
  double *branches = malloc(cells * sizeof *branches);
  // CHECK-DAG: c:[[#@LINE+1]]: tables: block: elements follow index i of the parallel loop in by_tables()
  double *tables = malloc(cells * sizeof *tables);
  // CHECK-DAG: c:[[#@LINE+1]]: rows: left alone: one thread writes it first, in main()
  double *rows = malloc(cells * sizeof *rows);
  for (size_t c = 0; c < cells; c++)
    branches[c] = tables[c] = rows[c] = (double)(c % 7);
  for (int step = 0; step < 6; step++) {
    by_branches(branches, n, step % 3);
    by_tables(tables, n, step % 3);
    inside(rows, n, step % 2 * 2);
  }
  printf("%g %g %g\n", branches[n], tables[n + 1], rows[2 * n]);
}
