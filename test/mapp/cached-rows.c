/* A matrix that caches hold, whose rows the threads read by their own index and all of them by another,
   is divided by rows: pages in turn spare queues at a memory, where nobody waits. A larger one is
   distributed.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>

#define N 200
#define LARGE 800

// CHECK-DAG: {{^\+}}MAI_STATIC(a, "block");
static double a[N][N];
// CHECK-DAG: {{^\+}}MAI_STATIC(large, "cyclic on threads");
static double large[LARGE][LARGE];
static double c[LARGE][LARGE];

static void products(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * a[j][k];
}

static void large_products(void) {
#pragma omp parallel for
  for (int i = 0; i < LARGE; i++)
    for (int j = 0; j < LARGE; j++)
      for (int k = 0; k < LARGE; k++)
        c[i][j] += large[i][k] * large[j][k];
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < LARGE; i++)
    for (int j = 0; j < LARGE; j++)
      a[i % N][j % N] = large[i][j] = (i + j) % 3;
  products();
  if (argc > 1)
    large_products();
  printf("%g\n", c[3][4]);
  return 0;
}
