/* What a function does to a block that it allocates and returns is done to its caller's block: who writes it first, and how often one
   thread uses it, also where a function on top of it hands it on.

   RUN: mapp-rewrite --explain pairs --explain zeros %s | FileCheck %s
*/
// CHECK: pairs, {{.*}} in main()
// CHECK: first written: {{.*}}: by one thread in generate()
// CHECK: zeros, {{.*}} in main()
// CHECK: first written: {{.*}}: elements follow index i of the parallel loop in cleared()
#include <stdio.h>
#include <stdlib.h>

struct pair {
  unsigned key, value;
};

static void *allocated(size_t bytes) {
  void *block = malloc(bytes);
  if (!block)
    abort();
  return block;
}

static struct pair *generate(long n) {
  struct pair *made = allocated((size_t)n * sizeof *made);
  for (long i = 0; i < n; i++)
    made[i].key = (unsigned)(i * 7919 % n);
  return made;
}

static double *cleared(long n) {
  double *made = allocated((size_t)n * sizeof *made);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    made[i] = 0;
  return made;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 100000;
  struct pair *pairs = generate(n);
  double *zeros = cleared(n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    zeros[i] += pairs[i].key;
  printf("%g\n", zeros[n / 2]);
  free(pairs);
  free(zeros);
}
