/* Grids that are members of one struct, or of a struct in it, are told apart by the names of the members: where one function allocates and fills
   them all, and where others get a pointer to a grid, or to any of the structs around it.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n;
  double *v;
};
struct fields {
  struct grid flux, source;
};
struct problem {
  struct fields now;
  struct grid table;
};

static void make_grid(struct grid *g, int n) {
  g->n = n;
  // CHECK: {{^\+}}  g->v = MAI_PLACED_NEW(g->v, malloc({{.*}}), sizeof(double), MAI_CALLED_FROM("make:[[#SOURCE:]]:3") ? "block" : MAI_CALLED_FROM("make:[[#TABLE:]]:3") ? {{.*}}"block reversed"
  g->v = malloc((size_t)n * n * sizeof *g->v);
  for (int i = 0; i < n * n; i++)
    g->v[i] = i % 3;
}

static struct problem *make(int n) {
  struct problem *p = malloc(sizeof *p);
  make_grid(&p->now.flux, n);
  // CHECK: {{^\+}}  MAI_CALLING("make:[[#SOURCE]]:3", make_grid(&p->now.source, n));
  make_grid(&p->now.source, n);
  // CHECK: {{^\+}}  MAI_CALLING("make:[[#TABLE]]:3", make_grid(&p->table, n));
  make_grid(&p->table, n);
  return p;
}

static void sweep(struct problem *p) {
  const int n = p->now.flux.n;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      p->now.flux.v[(n - 1 - i) * n + j] += p->now.flux.v[(n - 1 - i) * n + j - 1];
}

static void emit(struct fields *f) {
#pragma omp parallel for
  for (int i = 0; i < f->source.n; i++)
    for (int j = 0; j < f->source.n; j++)
      f->source.v[i * f->source.n + j] *= 0.5;
}

static double look_up(const struct grid *g, const struct grid *from) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
  for (int i = 0; i < g->n * g->n; i++)
    sum += g->v[(i * 7919) % (g->n * g->n)] + from->v[0];
  return sum;
}

int main(int argc, char **argv) {
  struct problem *p = make(argc > 1 ? atoi(argv[1]) : 700);
  for (int step = 0; step < 4; step++) {
    sweep(p);
    emit(&p->now);
    printf("%g\n", look_up(&p->table, &p->now.source));
  }
  return 0;
}
