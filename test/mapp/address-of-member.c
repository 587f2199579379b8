/* A function that gets the address of a pointer in a struct sets that pointer, and none of the others
   there: what it does to the block is not said of theirs.

   RUN: mapp-rewrite '--explain=s->table' %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   CHECK-NOT: in allocate()
   CHECK: first written: {{.*}}by one thread in read_table()
   CHECK: every thread goes over it in sum()
   CHECK-NOT: in allocate()
 */
#include <stdio.h>
#include <stdlib.h>

#define N 30000

struct state {
  double *values, *table;
};

static void allocate(double **to, size_t n) {
  *to = malloc(n * sizeof **to);
#pragma omp parallel for
  for (size_t i = 0; i < n; i++)
    (*to)[i] = 1;
}

static void read_table(double **to, size_t n) {
  *to = malloc(n * sizeof **to);
  for (size_t i = 0; i < n; i++)
    (*to)[i] = (double)(i % 7);
}

static double sum(const struct state *s) {
  double all = 0;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k += 100)
      all += s->values[i] * s->table[k];
  return all;
}

int main(void) {
  struct state here, *s = &here;
  allocate(&s->values, N);
  read_table(&s->table, N);
  printf("%g\n", sum(s));
  return 0;
}
