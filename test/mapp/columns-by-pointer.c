/* A block whose columns the threads share out is placed by columns also where a function puts its address into a pointer: then, as for
   others, rows are counted by what the function that allocates it stores in the struct, be it by one assignment for several members.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

struct grid {
  long planes, rows, columns;
  double *u, *v, *w;
};

static int get(void **block, size_t count, size_t size) {
  *block = calloc(count, size);
  return *block ? 0 : -1;
}

static void put(double **block, size_t count) {
  *block = malloc(count * sizeof **block);
}

// CHECK-DAG: {{^\+}}  return MAI_PLACED_2D_BY(g->u, get({{.*}}), 8 * (unsigned long)n * (unsigned long)n, 8 * (unsigned long)n, MAI_FOR_LONG_ROWS(8 * (unsigned long)n * (unsigned long)n, "block by columns")
// CHECK-DAG: {{^\+}}  MAI_PLACED_2D_BY_VOID(g->v, put({{.*}}), 8 * (unsigned long)n * (unsigned long)n, 8 * (unsigned long)n, "block by columns"
// CHECK-DAG: {{^\+}}  int bad = MAI_PLACED_2D_AT(g->w, posix_memalign({{.*}}), 8 * (unsigned long)n * (unsigned long)n, 8 * (unsigned long)n, "block by columns"
static int make(struct grid *g, long n) {
  g->planes = g->rows = g->columns = n;
  put(&g->v, n * n * n);
  int bad = posix_memalign((void **)&g->w, 64, n * n * n * sizeof *g->w);
  if (bad || !g->v)
    return -1;
  return get((void **)&g->u, n * n * n, sizeof *g->u);
}

/* Each plane depends on the one before, so threads share out the rows of each. */
static void sweep(struct grid *g) {
  for (long k = 1; k < g->planes; k++) {
#pragma omp parallel for
    for (long j = 0; j < g->rows; j++)
      for (long i = 0; i < g->columns; i++) {
        long at = (k * g->rows + j) * g->columns + i, below = at - g->rows * g->columns;
        g->u[at] += 0.5 * g->u[below] + g->v[at];
        g->w[at] = g->v[at] + g->w[below];
      }
  }
}

int main(int argc, char **argv) {
  struct grid g;
  long n = argc > 1 ? atoi(argv[1]) : 48;
  if (make(&g, n) != 0)
    return 1;
  for (long i = 0; i < n * n * n; i++)
    g.v[i] = g.w[i] = i % 10;
  for (int step = 0; step < 5; step++)
    sweep(&g);
  printf("%.6g %.6g\n", g.u[n * n * n - 1], g.w[n * n * n / 2]);
  free(g.u), free(g.v), free(g.w);
}
