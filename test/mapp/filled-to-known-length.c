/* An array that a loop of known length fills, and that loops use whose length only the run tells, is passed over as far by these:
   that one thread fills it once weighs little.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000000 };

struct vector {
  long n;
  double *x;
};

static void scale(struct vector *v) {
#pragma omp parallel for
  for (long i = 0; i < v->n; i++)
    v->x[i] *= 2;
}

int main(int argc, char **argv) {
  struct vector v = {argc > 1 ? atol(argv[1]) : N, NULL};
  // CHECK: c:[[#@LINE+1]]: v.x: block: elements follow index i of the parallel loop in scale()
  v.x = malloc(v.n * sizeof(double));
  for (long i = 0; i < N; i++)
    v.x[i] = (double)i;
  for (int step = 0; step < 20; step++)
    scale(&v);
  printf("%g\n", v.x[5]);
}
