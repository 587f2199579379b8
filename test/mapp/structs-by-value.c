/* Structs that hold pointers and are passed by value lead to the caller's blocks, as those that are returned do: from a
   variable, from an array of them, and right from the call that makes one.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n;
  double *value;
} grid;

typedef struct {
  grid fine, coarse;
} pair;

static grid make(int n) {
  // CHECK-DAG: c:[[#]]: g.value: block{{.*}}: elements follow index i of the parallel loop in {{relax|restrict_to_coarse}}()
  grid g = {n, NULL};
  g.value = malloc((size_t)n * n * sizeof *g.value);
  for (int i = 0; i < n * n; i++)
    g.value[i] = 1;
  return g;
}

static void relax(grid g) {
#pragma omp parallel for
  for (int i = 1; i < g.n - 1; i++)
    for (int j = 1; j < g.n - 1; j++)
      g.value[i * g.n + j] += 0.5 * g.value[i * g.n + j - 1];
}

static void restrict_to_coarse(pair of) {
#pragma omp parallel for
  for (int i = 0; i < of.coarse.n; i++)
    for (int j = 0; j < of.coarse.n; j++)
      of.coarse.value[i * of.coarse.n + j] = of.fine.value[2 * i * of.fine.n + 2 * j];
}

static double *alone(int n) {
  // CHECK-DAG: c:[[#]]: vector: block: elements follow index i of the parallel loop in scale()
  double *vector = malloc(n * sizeof *vector);
  for (int i = 0; i < n; i++)
    vector[i] = i;
  return vector;
}

struct scaled {
  double *vector, by;
};

static void scale(struct scaled what, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    what.vector[i] *= what.by;
}

int main(void) {
  grid levels[3];
  int n = 256;
  for (int k = 0; k < 3; k++, n /= 2)
    levels[k] = make(n);
  for (int step = 0; step < 4; step++)
    for (int k = 0; k < 3; k++) {
      relax(levels[k]);
      if (k < 2)
        restrict_to_coarse((pair){levels[k], levels[k + 1]});
    }
  double *vector = alone(60000);
  for (int step = 0; step < 4; step++)
    scale((struct scaled){vector, 0.5}, 60000);
  printf("%g %g\n", levels[2].value[100], vector[100]);
  for (int k = 0; k < 3; k++)
    free(levels[k].value);
  free(vector);
  return 0;
}
