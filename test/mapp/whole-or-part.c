/* Of most accesses to `whole` it is known how far they go, of some it is not, as where the second half of a row begins: the block is divided, though threads
   write it first. Of `part` nothing is known, and it may be used in part: first touch decides.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void fold(double *rows, double *second_halves, long count, long length) {
  const long half = length / 2;
#pragma omp parallel for
  for (long r = 0; r < count; r++)
    for (int pass = 0; pass < 9; pass++)
      for (long c = 0; c < half; c++) {
        rows[r * length + c] += rows[r * length + c + half] + 1;
        second_halves[r * length + c + half] += rows[r * length + c];
      }
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 100;
  // CHECK-DAG: c:[[#@LINE+1]]: whole: block: elements follow index r of the parallel loop in fold()
  double *whole = malloc((size_t)(n * n) * sizeof *whole);
  // CHECK-DAG: c:[[#@LINE+1]]: part: local: threads write it first: elements follow index i of the parallel loop in main()
  double *part = malloc((size_t)(3 * n * n) * sizeof *part);
#pragma omp parallel for
  for (long i = 0; i < n * n; i++)
    whole[i] = part[i] = (double)(i % 7);
  fold(whole, part, n, n);
  printf("%g %g\n", whole[n + 1], part[n * n - 1]);
}
