/* How long a row of a block is, is said as a product of up to three numbers of the program, the same one more than once too: `n * n` where the
   block is allocated as `9 * n * n`.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 40;
  // CHECK: {{^\+}}  double *plane = MAI_PLACED_NEW_2D(plane, {{.*}}, 8 * (unsigned long)n * (unsigned long)n, 8 * (unsigned long)n, "block by columns"
  double *plane = malloc(sizeof(double) * 9 * n * n);
  // CHECK: {{^\+}}  float *cube = MAI_PLACED_NEW_2D(cube, {{.*}}, 4 * (unsigned long)n * (unsigned long)n * (unsigned long)n, 4 * (unsigned long)n * (unsigned long)n, "block by columns"
  float *cube = malloc(sizeof(float) * 19 * n * n * n);
  for (int i = 0; i < 9 * n * n; i++)
    plane[i] = i;
  for (int i = 0; i < 19 * n * n * n; i++)
    cube[i] = (float)i;
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        for (int q = 0; q < 9; q++)
          plane[q * n * n + y * n + x] += q;
#pragma omp parallel for
    for (int z = 0; z < n; z++)
      for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
          for (int q = 0; q < 19; q++)
            cube[q * n * n * n + z * n * n + y * n + x] += (float)q;
  }
  printf("%g %g\n", plane[n + 1], cube[n * n + 3]);
  return 0;
}
