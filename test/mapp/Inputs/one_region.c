/* A matrix that threads fill, each its rows, and multiply with in the same parallel region. Half of it is used. */
#include <stdio.h>

enum { N = 8192, MOST = 32, LENGTH = 16 };

static double value[N * MOST];
static int column[N * MOST], start[N + 1];
static double x[N], y[N];

static void assemble(void) {
#pragma omp for schedule(static)
  for (int i = 0; i <= N; i++)
    start[i] = i * LENGTH;
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++)
    for (int k = start[i]; k < start[i + 1]; k++) {
      value[k] = 1.0 / (1 + k % 7);
      column[k] = (i * 31 + k * 7) % N;
    }
}

static void multiply(void) {
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++)
    x[i] = y[i] / LENGTH;
}

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      x[i] = 1;
    assemble();
    for (int step = 0; step < 10; step++)
      multiply();
  }
  printf("%g\n", y[N / 2]);
  return 0;
}
