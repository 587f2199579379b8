/* Transformed loops of OpenMP 5.1, which gcc 12 does not know: tile, unroll; and 5.2's, as far as Clang goes.

   RUN: %{try} --clang %{program} -fopenmp-version=52
   CHECK: MAPP001 tiled: block
   CHECK: MAPP001 unrolled: block
   CHECK: MAPP010 error: left alone: used by one thread only
*/
#include <stdio.h>
static double tiled[80][80], unrolled[4096], error[4096];

int main(void) {
  double sum = 0;
#pragma omp parallel for
#pragma omp tile sizes(8, 8)
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 80; j++)
      tiled[i][j] = i + j;
#pragma omp parallel for
#pragma omp unroll partial(4)
  for (int i = 0; i < 4096; i++)
    unrolled[i] = i;
#pragma omp parallel masked filter(1)
  for (int i = 0; i < 4096; i++)
    error[i] = i;
#pragma omp metadirective when(implementation = {vendor(llvm)} : parallel for) default(simd)
  for (int i = 0; i < 4096; i++)
    unrolled[i] += i;
  for (int i = 0; i < 80; i++)
    sum += tiled[i][i] + unrolled[i];
  printf("%g\n", sum);
  return 0;
}
