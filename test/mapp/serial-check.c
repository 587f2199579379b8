/* Loops of which only the run knows the length are weighed alike: as deep as they are nested, and as far as one begins where
   another is. A check in one thread that takes cubic time outweighs a factorisation by blocks, so the matrix stays with that
   thread; a sum over it in one thread does not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

static void factorise(float *a, int n) {
  for (int from = 0; from < n - TILE; from += TILE) {
    const int tiles = (n - from - TILE) / TILE;
#pragma omp parallel for
    for (int tile = 0; tile < tiles * tiles; tile++) {
      const int top = from + TILE * (1 + tile / tiles), left = from + TILE * (1 + tile % tiles);
      for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++)
          a[n * (top + i) + left + j] -= a[n * (top + i) + from + j] * a[n * (from + i) + left + j];
    }
  }
}

static double product(const float *a, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k <= (i < j ? i : j); k++)
        sum += a[i * n + k] * a[k * n + j];
      worst = fmax(worst, fabsf(sum));
    }
  return worst;
}

static double total(const float *a, int n) {
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += a[i];
  return sum;
}

static float *matrix(int n) {
  float *a = malloc(sizeof(float) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 1.0f / (float)(1 + i + j);
  return a;
}

int main(int count, char **arguments) {
  const int n = count > 1 ? atoi(arguments[1]) : 256;
  // CHECK-DAG: c:[[#]]: checked: left alone: one thread writes it first
  float *checked = malloc(sizeof(float) * n * n);
  // CHECK-DAG: c:[[#]]: summed: {{block|cyclic}}
  float *summed = malloc(sizeof(float) * n * n);
  float *model = matrix(n);
  for (int i = 0; i < n * n; i++)
    checked[i] = summed[i] = model[i];
  factorise(checked, n);
  factorise(summed, n);
  printf("%g %g\n", product(checked, n), total(summed, n));
  free(model);
  free(summed);
  free(checked);
  return 0;
}
