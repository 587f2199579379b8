/* A thread tells the functions that it calls which share is theirs in a struct of its own, by pointer or by value, and these hand it on:
   loops over such shares divide arrays as if the numbers were arguments.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct context {
  int thread, first, end;
  const double *in;
  double *out;
};

static void inner(const struct context *c, double weight) {
  for (int i = c->first; i < c->end; i++)
    c->out[i] += weight * c->in[i];
}

static void body(struct context *c) { inner(c, 0.5); }

static void by_value(struct context c) {
  for (int i = c.first; i < c.end; i++)
    c.out[i] = c.in[i] + 1;
}

static void split(int n, int part, int parts, int *first, int *end) {
  const int each = n / parts, more = n % parts;
  *first = part * each + (part < more ? part : more);
  *end = *first + each + (part < more);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 200000;
  // CHECK-DAG: {{^\+}}  double *a = MAI_PLACED_NEW(a, {{.*}}, "block"
  double *a = malloc((size_t)n * sizeof *a);
  // CHECK-DAG: {{^\+}}  double *b = MAI_PLACED_NEW(b, {{.*}}, "block"
  double *b = malloc((size_t)n * sizeof *b);
  // CHECK-DAG: {{^\+}}  double *c = MAI_PLACED_NEW(c, {{.*}}, "block"
  double *c = malloc((size_t)n * sizeof *c);
  for (int i = 0; i < n; i++)
    a[i] = b[i] = c[i] = i % 3;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel
    {
      struct context own = {.thread = omp_get_thread_num(), .in = a, .out = b};
      split(n, own.thread, omp_get_num_threads(), &own.first, &own.end);
      body(&own);
#pragma omp barrier
      struct context other;
      other.first = own.first;
      other.end = own.end;
      other.in = b;
      other.out = c;
      by_value(other);
#pragma omp barrier
    }
  }
  printf("%g %g %g\n", a[n - 1], b[n - 1], c[n / 2]);
  return 0;
}
