/* A pointer that moves on behind its allocation, past a margin, and back again before it is freed: what the loops divide lies behind the margin.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

#define CELLS 100000
#define MARGIN 30000

struct grid {
  int cells, margin;
  double *cell;
};

static void allocate(double **cell) {
  // CHECK-DAG: {{^\+}}  *cell = MAI_PLACED_NEW(*cell, malloc(MAI_BYTES((CELLS + 2 * MARGIN) * sizeof **cell)), sizeof(double), "block", 30000, 100000 /*
  *cell = malloc((CELLS + 2 * MARGIN) * sizeof **cell);
  *cell += MARGIN;
}

static void release(double **cell) {
  *cell -= MARGIN;
  free(*cell);
}

static void create(struct grid *g, int cells) {
  g->cells = cells;
  g->margin = cells / 4;
  // CHECK-DAG: c:[[#@LINE+1]]: g->cell: block{{.*}}: elements follow index i of the parallel loop in main()
  g->cell = malloc((size_t)(cells + 2 * g->margin) * sizeof *g->cell);
  g->cell += g->margin;
}

static double *from, *to;

static void exchange(double **left, double **right) {
  double *before = *left;
  *left = *right;
  *right = before;
}

int main(int argc, char **argv) {
  (void)argv;
  double sum = 0;
  struct grid g;
  allocate(&from);
  allocate(&to);
  create(&g, 80000 * argc);
  for (int i = -MARGIN; i < CELLS + MARGIN; i++)
    from[i] = to[i] = i % 10;
  for (int i = -g.margin; i < g.cells + g.margin; i++)
    g.cell[i] = 1;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for
    for (int i = 0; i < CELLS; i++)
      to[i] = from[i - 1] + from[i + 1];
#pragma omp parallel for
    for (int i = 0; i < g.cells; i++)
      g.cell[i] += i;
    exchange(&from, &to);
  }
  for (int i = 0; i < CELLS; i++)
    sum += from[i];
  printf("%g %g\n", sum, g.cell[77]);
  release(&from);
  release(&to);
  free(g.cell - g.margin);
  return 0;
}
