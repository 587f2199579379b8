/* A policy may not send more accesses to other nodes than first touch: what one thread writes, and all threads read about as often, is
   left alone, and first touch decides where several vectors lie in one block that is also read anywhere.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
// CHECK-DAG: probed: left alone: one thread writes it first, in main()
// CHECK-DAG: vectors: local: threads write it first
#include <stdio.h>
#include <stdlib.h>

struct pair {
  unsigned key, value;
};

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 100000;
  struct pair *probed = malloc((size_t)n * sizeof *probed);
  double *vectors = malloc((size_t)(2 * n) * sizeof *vectors), *second = vectors + n, sum = 0;
  int *at = malloc((size_t)n * sizeof *at);
  for (long i = 0; i < n; i++) {
    probed[i].key = (unsigned)(i * 7919);
    probed[i].value = (unsigned)i;
  }
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += probed[i].key;
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    vectors[i] = second[i] = 0;
    at[i] = (int)(i * 31 % n);
  }
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      second[i] += vectors[at[i]] + vectors[i];
  }
  printf("%g %g\n", sum, second[n / 2]);
}
