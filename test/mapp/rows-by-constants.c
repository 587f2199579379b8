/* Of an array of rows whose columns the threads share out, a row that the text names by a constant is one of these: kinds of particles that move to
   their neighbours each by a line of its own, and are mixed in a loop over all kinds. A loop that shares out all elements divides none of the rows.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Kinds = 3 };

struct lane {
  long rows, length;
  double *now, *next;
};

static void move(struct lane *of) {
  const long n = of->rows, m = of->length;
  const double *now = of->now;
  double *next = of->next;
#pragma omp parallel for
  for (long y = 0; y < n; y++)
    for (long x = 1; x < m - 1; x++) {
      const double rest = now[y * m + x], left = now[(n + y) * m + x + 1],
                   right = now[(2 * n + y) * m + x - 1], mean = (rest + left + right) / Kinds;
      for (int k = 0; k < Kinds; k++)
        next[(k * n + y) * m + x] = mean + k;
    }
  of->next = of->now;
  of->now = next;
}

static void fill(double *all, long elements) {
  for (long i = 0; i < elements; i++)
    all[i] = (double)(i % 11);
}

static void make(struct lane *of, long n, long m) {
  of->rows = n;
  of->length = m;
  // CHECK-DAG: c:[[#@LINE+1]]: of->now: block by columns, 0, {{.*}}: index y of the parallel loop in move() drives dimension 2
  of->now = malloc((size_t)(Kinds * n * m) * sizeof *of->now);
  // CHECK-DAG: c:[[#@LINE+1]]: of->next: block by columns, 0, {{.*}}: index y of the parallel loop in move() drives dimension 2
  of->next = malloc((size_t)(Kinds * n * m) * sizeof *of->next);
}

int main(int argc, char **argv) {
  struct lane of;
  make(&of, argc > 1 ? atol(argv[1]) : 120, 200);
  const long elements = Kinds * of.rows * of.length;
  // CHECK-DAG: c:[[#@LINE+1]]: flat: block: {{rows|elements}} follow index i of the parallel loop in main()
  double *flat = malloc((size_t)elements * sizeof *flat);
  fill(of.now, elements);
  fill(of.next, elements);
  fill(flat, elements);
  for (int t = 0; t < 4; t++) {
    move(&of);
#pragma omp parallel for
    for (long i = 0; i < elements; i++)
      flat[i] += of.now[i];
#pragma omp parallel for
    for (long i = 0; i < of.length; i++)
      for (long k = 0; k < 10; k++)
        flat[k * of.length + i] += 1;
  }
  printf("%g %g\n", of.now[of.length + 3], flat[elements / 2]);
  return 0;
}
