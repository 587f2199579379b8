/* Several vectors in one block of the heap, each divided among the threads: the first touch of a loop that fills all
   of them is right, and no division of the block is.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
// CHECK: {{^\+.*}}MAI_PLACED{{.*}}"local"
// CHECK: a: local: threads write it first
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  long length = 40000 + argc;
  double *a = malloc((size_t)(3 * length) * sizeof *a);
  double *b = a + length;
  double *c = b + length;
#pragma omp parallel for
  for (long i = 0; i < length; i++) {
    a[i] = 0;
    b[i] = 2;
    c[i] = (double)i;
  }
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (long i = 0; i < length; i++)
      a[i] += b[i] + 3 * c[i];
  }
  printf("%g %g\n", a[0], a[length - 1]);
  free(a);
}
