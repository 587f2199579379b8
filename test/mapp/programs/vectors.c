/* Arrays of short vectors, as programs have them that are written for SIMD units: used as a whole, and one
   element at a time.

   RUN: %{try} %{program} -Wno-psabi
   CHECK: MAPP001 whole: block
   CHECK: MAPP001 parts: block
   CHECK: MAPP001 grid: block
   CHECK: MAPP001 flat: block
*/
#include <stdio.h>

typedef double four __attribute__((vector_size(32)));

static four whole[600], parts[600], grid[60][10];
static double flat[2400];

static four doubled(const four *of) { return *of + *of; }

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 600; i++)
    for (int k = 0; k < 4; k++)
      parts[i][k] = i * k;
#pragma omp parallel for
  for (int i = 0; i < 600; i++) {
    whole[i] = doubled(&parts[i]) - 1.0;
    *(four *)&flat[4 * i] = whole[i];
  }
#pragma omp parallel for
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 10; j++)
      grid[i][j][1] += whole[10 * i + j][3] + (&parts[i])[j][2];
  double sum = 0;
  for (int i = 0; i < 600; i++)
    sum += grid[i / 10][i % 10][1] + flat[i];
  printf("%g\n", sum);
  return 0;
}
