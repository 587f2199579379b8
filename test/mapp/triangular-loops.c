/* A loop from another one's index to a constant is half as long as that range on average, over blocks of the heap, too: what it does outweighs
   one thread's pass.

   RUN: mapp-rewrite --explain=a %s 2>&1 | FileCheck %s
   CHECK: [[#@LINE + 14]]: read: every thread goes over it in products() {{.*}}; about 2097152 steps
   CHECK: write: used by one thread only; 65536 steps
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 256 };

static void products(double *a, double *c) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) {
      double sum = 0;
      for (int k = j; k < N; k++)
        sum += a[j * N + k];
      c[i] += sum;
    }
}

int main(void) {
  double *a = malloc(N * N * sizeof *a);
  double *c = calloc(N, sizeof *c);
  for (int i = 0; i < N * N; i++)
    a[i] = i % 7;
  products(a, c);
  printf("%g\n", c[5]);
  free(a);
  free(c);
  return 0;
}
