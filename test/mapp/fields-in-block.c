/* Several fields in one block, of which threads divide each: the block is divided by slices in the proportions of the fields, whatever the
   run decides of their sizes. Where a field begins somewhere else, nothing tells these proportions; where threads write all of them
   first, first touch is right.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bodies {
  long n;
  double *place, *speed, *mass;
};

static void push(struct bodies *b, double dt) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < b->n; i++)
    for (int d = 0; d < 3; d++) {
      b->speed[3 * i + d] -= dt * b->place[3 * i + d] / b->mass[i];
      b->place[3 * i + d] += dt * b->speed[3 * i + d];
    }
}

static double sum_up(const double *all, long n, long from) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += all[i] * all[from + i];
  return sum;
}

int main(int argc, char **argv) {
  struct bodies b;
  b.n = argc > 1 ? atol(argv[1]) : 30000;
  const long from = argc > 2 ? atol(argv[2]) : b.n + 5;
  // CHECK-DAG: {{^\+}}  double *all = MAI_PLACED{{.*}}, "block by slices 3,3,1"
  double *all = malloc(7 * b.n * sizeof *all);
  b.place = all;
  b.speed = b.place + 3 * b.n;
  b.mass = b.speed + 3 * b.n;
  for (long i = 0; i < 7 * b.n; i++)
    all[i] = 1 + (double)(i % 5);
  // CHECK-DAG: pair: block: elements follow
  double *pair = malloc(2 * (b.n + 5) * sizeof *pair);
  for (long i = 0; i < 2 * (b.n + 5); i++)
    pair[i] = (double)(i % 3);
  // CHECK-DAG: touched: local: threads write it first
  double *touched = malloc(2 * b.n * sizeof *touched), *second = touched + b.n;
#pragma omp parallel for
  for (long i = 0; i < b.n; i++)
    touched[i] = second[i] = (double)i;
  for (int step = 0; step < 4; step++)
    push(&b, 0.01);
  printf("%.6g %.6g %.6g\n", all[b.n / 2], sum_up(pair, b.n, from), sum_up(touched, b.n, b.n));
  free(all), free(pair), free(touched);
  return 0;
}
