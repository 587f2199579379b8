/* A block whose size the run decides and that the threads read by their own index and all of them by another: pages in turn where it is large;
   where each core's cache holds it, nobody waits for a memory, and shares make half of the accesses local.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

typedef double point[3];

static double apart(const double *a, const double *b, double *away) {
  double sum = 0;
  for (int d = 0; d < 3; d++) {
    away[d] = a[d] - b[d];
    sum += away[d] * away[d];
  }
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000;
  // CHECK: {{^\+}}  point *position = MAI_PLACED_NEW(position, malloc({{.*}}), 24, MAI_UNLESS_CACHED("cyclic on threads", "block") /* mapp: every thread goes over it
  point *position = malloc((size_t)n * sizeof *position);
  point *force = calloc((size_t)n, sizeof *force);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      position[i][d] = (i * 7 + d) % 13;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      point away;
      double distance = apart(position[i], position[j], away);
      for (int d = 0; d < 3; d++)
        force[i][d] += away[d] / (1 + distance);
    }
  printf("%g\n", force[n / 2][1]);
  return 0;
}
