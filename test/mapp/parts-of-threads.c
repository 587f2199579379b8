/* A block of the heap in which each thread has a part by its number: a huge page of the heap holds several of them, and goes to the first that touches
   it, so the parts are given to the threads one by one where it can be told how long they are. Shorter ones than half a page are left alone.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct space {
  long length;
  double *parts, *elsewhere, *counts;
};

struct line {
  double of[3][100];
};

static double go_over(struct line *lines) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    struct line *own = &lines[omp_get_thread_num()];
    for (int i = 1; i < 100; i++)
      for (int k = 0; k < 3; k++)
        sum += own->of[k][i] = own->of[k][i - 1] + 1;
  }
  return sum;
}

static double use(const struct space *s, long length, long used) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const int me = omp_get_thread_num();
    double *mine = s->parts + me * s->length, *other = s->elsewhere + me * length,
           *few = s->counts + me * 8;
    for (long i = 0; i < used; i++)
      mine[i] = other[i] = (double)i;
    for (long i = 1; i < used; i++)
      sum += mine[i - 1] + other[i] + (few[i % 8] += 1);
  }
  return sum;
}

static void make(struct space *s) {
  const int threads = omp_get_max_threads();
  // CHECK-DAG: {{^\+}}  s->parts = {{.*}}MAI_PLACED{{.*}}, 8 * (unsigned long)(s->length), "block-cyclic 1" /* mapp: each thread has a part of its own, by its number, in use() */);
  s->parts = malloc((size_t)(threads * s->length) * sizeof(double));
  // CHECK-DAG: c:[[#@LINE+1]]: s->elsewhere: left alone: each thread has a part of its own, by its number, in use(): the first to touch it is its user
  s->elsewhere = malloc(1 << 20);
  // CHECK-DAG: c:[[#@LINE+1]]: s->counts: left alone: each thread has a part of its own, by its number, in use(): the first to touch it is its user
  s->counts = calloc((size_t)threads * 8, sizeof(double));
}

int main(int argc, char **argv) {
  struct space s = {.length = argc > 1 ? atol(argv[1]) : 3000};
  make(&s);
  // CHECK-DAG: {{^\+}}  struct line *lines = {{.*}}MAI_PLACED{{.*}}, sizeof(struct line), "block-cyclic 1"
  struct line *lines = calloc((size_t)omp_get_max_threads(), sizeof *lines);
  printf("%d\n", go_over(lines) > 0 && use(&s, atol("3000"), s.length - 5) > 0);
}
