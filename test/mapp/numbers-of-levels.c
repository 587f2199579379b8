/* Each level of a grid gets its number of rows once, as the loop over all levels says: that is no number which changes as the program runs, so that
   the rows of each are divided, whoever writes them first. Of what the program goes on counting nothing tells how much there is: it stays where threads touch it first.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Levels = 3 };

struct level {
  long rows, used;
  double *value, *queue;
};

static struct level *make(long rows) {
  struct level *all = malloc(Levels * sizeof *all);
  for (int l = 0; l < Levels; l++) {
    struct level *one = &all[l];
    one->rows = rows >> l;
    one->used = 0;
    // CHECK-DAG: c:[[#@LINE+1]]: one->value: block, 1, {{.*}}: elements follow index i of the parallel loop in smooth()
    one->value = calloc((size_t)((one->rows + 2) * (one->rows + 2)), sizeof(double));
    // CHECK-DAG: c:[[#@LINE+1]]: one->queue: left alone: threads write it first: elements follow index i of the parallel loop in halve()
    one->queue = calloc((size_t)rows, sizeof(double));
  }
  return all;
}

static void smooth(struct level *of) {
  const long n = of->rows, m = n + 2;
  double *v = of->value;
#pragma omp parallel for
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= n; j++)
      v[i * m + j] = (v[i * m + j - 1] + v[i * m + j + 1]) / 2 + 1;
}

static void append(struct level *to, double value) { to->queue[to->used++] = value; }

static void halve(struct level *of) {
#pragma omp parallel for
  for (long i = 0; i < of->used; i++)
    of->queue[i] /= 2;
}

int main(int argc, char **argv) {
  struct level *all = make(argc > 1 ? atol(argv[1]) : 300);
  for (int t = 0; t < 4; t++)
    for (int l = 0; l < Levels; l++) {
      smooth(&all[l]);
      append(&all[l], t);
      halve(&all[l]);
    }
  printf("%g %g\n", all[1].value[2 * (all[1].rows + 2) + 3], all[2].queue[1]);
  return 0;
}
