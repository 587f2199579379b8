/* A sparse matrix whose row i has i elements. */
#include <stdio.h>
#ifndef N
#define N 256
#endif

static int start[N + 1];
static double value[N * N];
static double sum[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    start[i + 1] = start[i] + i;
    for (int k = start[i]; k < start[i + 1]; k++)
      value[k] = k % 17;
  }
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      for (int k = start[i]; k < start[i + 1]; k++)
        sum[i] += value[k];
  }
  printf("%.0f\n", sum[N - 1]);
  return 0;
}
