/* Where data leads threads nothing in the text tells, but an array to which they come by the same numbers as to one that is divided is
   divided alike, be that along row pointers: what they find near of the one they find near of the other. One that other numbers lead to has its pages in turn.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { Near = 8 };

struct bonds {
  int *near, *shape_of;
};

static void pull(const double *place, const int *kind, const double *shape, const struct bonds *b,
                 double *force, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < Near; k++) {
      const int j = b->near[i * Near + k];
      force[i] += (place[j] - place[i]) * kind[j] + shape[b->shape_of[i * Near + k]];
    }
}

/* The first of each cell, and the next of each. */
static double meet(const double *place, const int *first, const int *next, int cells) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int c = 0; c < cells; c++)
    for (int j = first[c]; j >= 0; j = next[j])
      sum += place[j];
  return sum;
}

/* Rows of a matrix in the order of a list, and one after the other. */
static double solve(const int *list, const int *start, const int *column, const double *value,
                    int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int q = 0; q < n; q++) {
    const int i = list[q];
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * column[k];
  }
  return sum;
}

static long add_columns(const int *start, const int *column, int n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += column[k];
  return sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4000, cells = n / 4;
  // CHECK-DAG: c:[[#@LINE+1]]: place: block{{.*}}: elements follow index i of the parallel loop in pull(); also indexed indirectly
  double *place = malloc((size_t)n * sizeof *place);
  // CHECK-DAG: c:[[#@LINE+1]]: kind: block{{.*}}: indexed indirectly by near in pull(); read only after it is filled; divided as place, which is looked up together with it
  int *kind = malloc((size_t)n * sizeof *kind);
  // CHECK-DAG: c:[[#@LINE+1]]: next: block{{.*}}: indexed indirectly by first in meet(); {{.*}}divided as place, which is looked up together with it
  int *next = malloc((size_t)n * sizeof *next);
  int *first = malloc((size_t)cells * sizeof *first);
  // CHECK-DAG: c:[[#@LINE+1]]: shape: cyclic on threads: indexed indirectly by shape_of in pull(); read only after it is filled (
  double *shape = malloc((size_t)n * sizeof *shape);
  int *list = malloc((size_t)n * sizeof *list), *start = malloc((size_t)(n + 1) * sizeof *start);
  // CHECK-DAG: c:[[#@LINE+1]]: column: block along start: elements that start delimits follow index i of the parallel loop in add_columns(); also
  int *column = malloc((size_t)n * Near * sizeof *column);
  // CHECK-DAG: c:[[#@LINE+1]]: value: block: indexed indirectly by start in solve(); {{.*}}divided as column, which is looked up together with it
  double *value = malloc((size_t)n * Near * sizeof *value);
  struct bonds b = {malloc((size_t)n * Near * sizeof(int)), malloc((size_t)n * Near * sizeof(int))};
  double *force = calloc((size_t)n, sizeof *force);
  for (int c = 0; c < cells; c++)
    first[c] = -1;
  for (int i = 0; i <= n; i++)
    start[i] = i * Near;
  for (int k = 0; k < n * Near; k++)
    value[k] = column[k] = k % 7;
  for (int i = 0; i < n; i++) {
    list[i] = i * 3 % n;
    place[i] = i;
    kind[i] = i % 3;
    next[i] = first[i % cells];
    first[i % cells] = i;
    for (int k = 0; k < Near; k++)
      b.near[i * Near + k] = (i + k) % n, b.shape_of[i * Near + k] = i * 37 % n;
    shape[i] = i % 5;
  }
  double sum = 0;
  for (int t = 0; t < 9; t++) {
    pull(place, kind, shape, &b, force, n);
    sum += meet(place, first, next, cells) + solve(list, start, column, value, n);
  }
  sum += (double)add_columns(start, column, n);
  printf("%g %g\n", sum, force[n / 2]);
  return 0;
}
