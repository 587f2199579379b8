/* Subscripts: with offset and stride, of several loops, by division and remainder, by tables, by data, mirrored,
   transposed, with an extent known when it runs, triangular.

   RUN: %{try} %{program}
   CHECK: MAPP001 offset: block
   CHECK: MAPP001 strided: block
   CHECK: MAPP002 halved: block, 0, 2048
   CHECK: MAPP001 wrapped: block
   CHECK: MAPP005 shuffled: cyclic on threads: indexed indirectly by order in run()
   CHECK: MAPP001 scattered: block
   CHECK: MAPP001 mirrored: block reversed: elements follow index i of the parallel loop in run(), backwards
   CHECK: MAPP005 transposed: cyclic on threads: index i of the parallel loop in run() drives dimension 2
   CHECK: MAPP001 triangle: block
   CHECK: MAPP001 by_extent: block
   CHECK: MAPP005 middle: cyclic on threads: index j of the parallel loop in run() drives dimension 2
   CHECK: MAPP004 fast: block by dimension 2: index k of the parallel loop in run() drives dimension 3
   CHECK: MAPP001 both: block: rows follow index i of the parallel loop in run(); less often, index i of the parallel loop in run() drives dimension 2
   CHECK: MAPP001 looked_up: block filled: elements that limits delimits follow index b of the parallel loop in run()
   CHECK: MAPP005 by_bit: cyclic on threads: indexed indirectly in run()
   CHECK: MAPP001 order: block
   CHECK: 1 array smaller than 4096 bytes left alone
*/
#include <stdio.h>
#define N 4096
static double offset[N + 8], strided[2 * N], halved[N], wrapped[N], shuffled[N], scattered[N], mirrored[N];
static double transposed[64][64], triangle[64][64], by_extent[N], middle[8][64][8], fast[8][8][512];
static double both[64][64], looked_up[N], by_bit[N];
static int order[N], limits[65];

static void run(int n, int nx) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    offset[i + 3] = strided[2 * i + 1] = halved[i / 2] = wrapped[(i + 1) % n] = i;
    shuffled[order[i]] = looked_up[i] + order[i];
    scattered[(i * 79) % n] = mirrored[n - 1 - i] = by_bit[i ^ 1] = i;
  }
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      transposed[j][i] = i;
      both[i][j] += both[j][i];
      by_extent[i * nx + j] = i;
    }
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    for (int j = 0; j <= i; j++)
      triangle[i][j] = i;
#pragma omp parallel for
  for (int j = 0; j < 64; j++)
    for (int i = 0; i < 8; i++)
      for (int k = 0; k < 8; k++)
        middle[i][j][k] = j;
#pragma omp parallel for
  for (int k = 0; k < 512; k++)
    for (int i = 0; i < 8; i++)
      fast[i][3][k] = k;
#pragma omp parallel for
  for (int b = 0; b < 64; b++)
    for (int i = limits[b]; i < limits[b + 1]; i++)
      looked_up[i] = b;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    order[i] = i * 31 % N;
  for (int i = 0; i < 65; i++)
    limits[i] = i * 64;
  run(N, 64);
  for (int i = 0; i < 64; i++)
    sum += offset[i] + strided[i] + mirrored[i] + transposed[i][3] + triangle[i][i] + by_extent[i] +
           middle[3][i][4] + fast[2][3][i] + looked_up[i];
  printf("%g\n", sum);
  return 0;
}
