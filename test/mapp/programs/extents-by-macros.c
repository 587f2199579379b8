/* Extents are arithmetic on macros, some of them not in parentheses.

   RUN: %{try} %{program}
   CHECK: MAPP001 plain: block
   PLACE: MAPP001 product: block
   HEAP: MAPP059 product: left alone: its size is taken with sizeof
   CHECK: MAPP002 difference: block, 600, 597
   CHECK: MAPP001 twice: block
   PLACE: MAPP001 wrapped: block
   PLACE: MAPP001 area: block
   HEAP: MAPP050 wrapped: left alone: declared by a macro
   HEAP: MAPP059 area: left alone: its size is taken with sizeof
*/
#include <stdio.h>
#define N 600
#define M N + 8 /* not in parentheses */
#define K 2 * N - 3
#define NX 640+2
#define NY NX
#define OF(name) name[N][8]

static double plain[M], product[M * 4], difference[K], twice[M][8], OF(wrapped), area[NX*NY];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < M; i++)
    plain[i] = twice[i][3] = i;
#pragma omp parallel for
  for (int i = 0; i < M * 4; i++)
    product[i] = i;
#pragma omp parallel for
  for (int i = 600; i < K; i++)
    difference[i] = wrapped[i % N][2] = i;
#pragma omp parallel for
  for (int i = 1; i <= NX * NY; i++)
    area[i - 1] = i;
  for (int i = 0; i < N; i++)
    sum += plain[i] + product[i] + difference[i] + twice[i][3] + wrapped[i][2] + area[i];
  printf("%g %zu %zu\n", sum, sizeof product, sizeof area);
  return 0;
}
