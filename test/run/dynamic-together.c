/* Each array that a loop reads is seen, not only the one that it reads first: of a product with a sparse matrix, its
   values as often as its columns, about.

   RUN: %{gcc} -O2 %s -o %t
   RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1 \
   RUN:   %{build}/bin/mai-run -q --dynamic=100 -r %t.json %t | FileCheck %s
   CHECK: sum 524288
   RUN: python3 %S/Inputs/dynamic-together.py %t.json
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 20 };

static double pass(const int *columns, const double *values, const double *vector) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < COUNT; i++)
    sum += values[i] * vector[columns[i]];
  return sum;
}

int main(void) {
  int *columns = malloc(COUNT * sizeof *columns);
  double *values = malloc(COUNT * sizeof *values), vector[1024];
  for (int i = 0; i < COUNT; i++) {
    columns[i] = i % 1024;
    values[i] = i % 2;
  }
  for (int i = 0; i < 1024; i++)
    vector[i] = i;
  const double begin = omp_get_wtime();
  double sum;
  do
    sum = pass(columns, values, vector);
  while (omp_get_wtime() - begin < 3);
  printf("sum %.0f\n", sum / (COUNT / 2048));
}
