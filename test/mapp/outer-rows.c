/* A loop around the parallel one goes to the next of several parts of a block, of each of which the threads have shares: the block is
   not to be divided as a whole. Where the parts may be short, it is left to first touch when they are, if the threads write it first.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
// CHECK-DAG: flux: block by columns: index g of the parallel loop in main() drives dimension 2
// CHECK-DAG: {{^\+}}{{.*}}MAI_FOR_LONG_ROWS({{.*}}, "block by columns")
// CHECK-DAG: a: block: elements follow index i of the parallel loop in main()
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long parts = argc, n = argc > 1 ? atol(argv[1]) : 4000;
  double *flux = malloc((size_t)(parts * n) * sizeof *flux), *a = malloc((size_t)(n * n) * sizeof *a);
#pragma omp parallel for
  for (long d = 0; d < parts; d++)
    for (long g = 0; g < n; g++)
      flux[d * n + g] = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * n + j] = (double)i;
  for (int step = 0; step < 20; step++)
    for (long d = 0; d < parts; d++) {
#pragma omp parallel for
      for (long g = 0; g < n; g++)
        flux[d * n + g] += 1;
    }
  for (long k = 0; k < n; k++) {
#pragma omp parallel for
    for (long i = 0; i < n - k; i++)
      a[(i + k) * n] += 1;
  }
  printf("%g %g\n", flux[n / 2], a[n]);
}
