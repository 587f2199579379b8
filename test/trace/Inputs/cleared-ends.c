// A block for the worst case, which all threads clear. Rows at the edges have less than others, so that a sixth is never used.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4096, MOST = 27, STEPS = 40 };

static long begin[ROWS + 1];

int main(void) {
  double *v = malloc(sizeof(double) * ROWS * MOST);
  for (long i = 0; i < ROWS; i++)
    begin[i + 1] = begin[i] + (i < ROWS / 16 || i >= ROWS - ROWS / 16 ? 18 : 23);
#pragma omp parallel for
  for (long i = 0; i < (long)ROWS * MOST; i++)
    v[i] = 0;
  for (int step = 0; step < STEPS; step++)
#pragma omp parallel for
    for (long i = 0; i < ROWS; i++)
      for (long k = begin[i]; k < begin[i + 1]; k++)
        v[k] += (double)(i + step);
  printf("%g\n", v[begin[ROWS] - 1]);
  free(v);
}
