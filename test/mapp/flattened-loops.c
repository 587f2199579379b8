/* Loops over two or three indices at once, which division and remainder, or shift and mask, take apart again: they
   count as what they are. So does a part of an index; a hash does not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
enum { N = 80, M = 96, K = 12, Odd = 4097 };

// CHECK-DAG: {{^}}+MAI_STATIC(plane, "block");
static double plane[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(inner, "block", 8, (N) - 16);
static double inner[N][M];
// CHECK-DAG: {{^}}+MAI_STATIC(cube, "block");
static double cube[N][K][M];
// CHECK-DAG: {{^}}+MAI_STATIC(shifted, "block");
static double shifted[64][64];
// CHECK-DAG: {{^}}+MAI_STATIC(image, "block");
static float image[N * M];
// CHECK-DAG: {{^}}+MAI_STATIC(halves, "block", 0, 2048);
static double halves[4096];
// CHECK-DAG: {{^}}+MAI_STATIC(upper, "block", 0, 2048);
static double upper[Odd];
// CHECK-DAG: {{^}}+MAI_STATIC(lesser, "block", 0, 2000);
static double lesser[8000];
// CHECK-DAG: c:[[#]]: hashed: cyclic on threads: indexed indirectly in main()
static int hashed[4096];
// CHECK-DAG: c:[[#]]: reached: cyclic on threads: indexed indirectly in main()
static int reached[4096];

static void smooth(float *pixels, int width, int height) {
#pragma omp parallel for
  for (int at = 0; at < width * height; at++) {
    const int row = at / width, column = at % width;
    pixels[row * width + column] += (float)row;
  }
}

int main(void) {
#pragma omp parallel for
  for (int ij = 0; ij < N * M; ij++) {
    const int i = ij / M, j = ij % M;
    plane[i][j] = i - j;
  }
#pragma omp parallel for
  for (int ij = 8 * M; ij < 72 * M; ij++)
    inner[ij / M][ij % M] = ij;
#pragma omp parallel for
  for (int ijk = 0; ijk < N * K * M; ijk++)
    cube[ijk / (K * M)][ijk / M % K][ijk % M] = ijk;
#pragma omp parallel for
  for (unsigned at = 0; at < 4096; at++) {
    shifted[at >> 6][at & 63] = at;
    if (at % 2)
      halves[at / 2] = at;
    hashed[at * 2654435761u >> 20] = 1;
  }
#pragma omp parallel for
  for (int i = 0; i < Odd / 2; i++)
    upper[i] = i;
#pragma omp parallel for
  for (int i = 0; i < MIN(2000, Odd); i++)
    lesser[i] = i;
#pragma omp parallel for
  for (int i = 1; i < 4096; i++)
    reached[4095 / i] = 1;
  smooth(image, M, N);
  double sum = 0;
  for (int i = 0; i < 64; i++)
    sum += plane[i][i] + inner[i][3] + cube[i][2][i] + shifted[i][i] + image[50 * i] + halves[i] +
           upper[i] + lesser[i];
  for (int i = 0; i < 4096; i++)
    sum += hashed[i] + reached[i];
  printf("%g\n", sum);
  return 0;
}
