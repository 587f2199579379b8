/* Fields that a table of pointers holds, all of which each thread goes over in its share of the elements, are divided as one
   field would be: by whatever function they are allocated, and where the table points to static arrays.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, FIELDS = 4 };

struct grid {
  long n;
  double *u[FIELDS], *weight;
};

static double *field(const struct grid *g) {
  // CHECK-DAG: field:[[#@LINE+1]]: block{{.*}}: elements follow index i of the parallel loop in scale()
  return malloc(g->n * sizeof(double));
}

// CHECK-DAG: c:[[#@LINE+1]]: mass: block: elements follow index i of the parallel loop in sum()
static double mass[N];
// CHECK-DAG: c:[[#@LINE+1]]: charge: block: elements follow index i of the parallel loop in sum()
static double charge[N];
static double *const both[2] = {mass, charge};

static void scale(struct grid *g) {
#pragma omp parallel for
  for (long i = 0; i < g->n; i++)
    for (int f = 0; f < FIELDS; f++) {
      double *u = g->u[f];
      u[i] *= g->weight[i];
    }
}

static double sum(void) {
  double all = 0;
#pragma omp parallel for reduction(+ : all)
  for (long i = 0; i < N; i++)
    for (int b = 0; b < 2; b++)
      all += both[b][i];
  return all;
}

int main(void) {
  struct grid *g = malloc(sizeof *g);
  double all = 0;
  g->n = N;
  for (int f = 0; f < FIELDS; f++)
    g->u[f] = field(g);
  g->weight = field(g);
  for (long i = 0; i < N; i++) {
    for (int f = 0; f < FIELDS; f++)
      g->u[f][i] = f;
    mass[i] = charge[i] = g->weight[i] = 2;
  }
  for (int step = 0; step < 20; step++) {
    scale(g);
    all += sum();
  }
  printf("%g %g\n", g->u[3][5], all);
}
