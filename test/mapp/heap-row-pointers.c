/* Row pointers of the heap are told apart from other blocks: MAi places, and knows, them however small they are, as by them larger arrays
   are divided.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 2000;
  // CHECK: {{^\+}}  int *start = MAI_PLACED_NEW(start, malloc(MAI_BYTES((rows + 1) * sizeof(int))), sizeof(int), "block", 0, 0, MAI_LEAST_ROW_POINTERS
  int *start = malloc((rows + 1) * sizeof(int));
  // CHECK: {{^\+}}  double *value = MAI_PLACED_NEW({{.*}}, "block along start"
  double *value = malloc(3 * rows * sizeof(double));
  // CHECK: {{^\+}}  double *sum = MAI_PLACED_NEW({{.*}}, sizeof(double), "block" /* mapp
  double *sum = malloc(rows * sizeof(double));
  start[0] = 0;
  for (int i = 0; i < rows; i++) {
    start[i + 1] = start[i] + i % 3;
    sum[i] = 0;
  }
  for (int k = 0; k < start[rows]; k++)
    value[k] = k;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
      for (int k = start[i]; k < start[i + 1]; k++)
        sum[i] += value[k];
  }
  printf("%g\n", sum[rows / 2]);
  free(start);
  free(value);
  free(sum);
  return 0;
}
