/* The size of a block of the heap is known where arguments make it constant at each call: loops over all of it are not
   taken for loops over a part of something larger, and so it is divided. Of several sizes the range of none is told.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static double of_two_sizes(int n, int m) {
  // CHECK: {{^}}+  double *flat = MAI_PLACED_NEW(flat, {{.*}} "block" /*
  double *flat = malloc((size_t)n * m * sizeof *flat);
#pragma omp parallel for
  for (int i = 0; i < n * m; i++)
    flat[i] = i;
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += flat[i];
  free(flat);
  return sum;
}

static double of_one_size(int n) {
  // CHECK: {{^}}+  double *half = MAI_PLACED_NEW(half, {{.*}} "block", 0, 30000 /*
  double *half = malloc((size_t)n * 2 * sizeof *half);
  for (int i = 0; i < 2 * n; i++)
    half[i] = 1;
  for (int step = 0; step < 10; step++)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      half[i] += i;
  double sum = half[n - 1];
  free(half);
  return sum;
}

int main(void) {
  printf("%g\n", of_two_sizes(20000, 4) + of_two_sizes(10000, 3) + of_one_size(30000));
  return 0;
}
