/* Buffers that one thread allocates for all, and that each thread is the first to touch: one huge page of the heap holds several, and goes
   to whoever touches it first, so MAi gives each to its thread. A static table, whose rows are on pages of their own, is left to that, without huge pages.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 256
#define N 2048

// CHECK-DAG: c:[[#@LINE+1]]: fixed: local: each thread has a part of its own, by its number, in main()
static double fixed[MOST][N];

int main(void) {
  int threads = omp_get_max_threads();
  double **own = malloc((size_t)threads * sizeof *own), sum = 0;
  for (int t = 0; t < threads; t++)
    // CHECK-DAG: {{^\+}}    own[t] = MAI_PLACED_ROW(own[t], malloc(MAI_OWN_PAGES(N * sizeof **own)), (unsigned long)t, (unsigned long)threads, "block-cyclic 1", 0, 0, MAI_LEAST_OF_OWN_PAGES
    own[t] = malloc(N * sizeof **own);
#pragma omp parallel reduction(+ : sum)
  {
    int me = omp_get_thread_num();
    for (int step = 0; step < 10; step++)
      for (int k = 0; k < N; k++)
        own[me][k] = fixed[me][k] = k + step;
    sum += (own[me][7] + fixed[me][8]) / omp_get_num_threads();
  }
  printf("%g\n", sum);
  for (int t = 0; t < threads; t++)
    free(own[t]);
  free(own);
  return 0;
}
