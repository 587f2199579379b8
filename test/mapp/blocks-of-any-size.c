/* A transposition block by block, where the run decides how large a block is: threads have the rows that they write, however the
   end of a block is written.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <stdio.h>
#include <stdlib.h>

enum { N = 512 };

// CHECK-DAG: {{^\+}}MAI_STATIC(by_both, "block"); /* mapp: elements follow index jj of the parallel loop
static double by_both[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_choice, "block"); /* mapp: elements follow index jj of the parallel loop
static double by_choice[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_least, "block"); /* mapp: elements follow index jj of the parallel loop
static double by_least[N * N];
// CHECK-DAG: {{^\+}}MAI_STATIC(source, "cyclic on threads"); /* mapp: index jj of the parallel loop
static double source[N * N];

static int least(int left, int right) { return left < right ? left : right; }

static void transpose(int rows, int columns, int size) {
#pragma omp parallel for
  for (int jj = 0; jj < columns; jj += size)
    for (int ii = 0; ii < rows; ii += size) {
      for (int j = jj; j < jj + size && j < columns; j++)
        for (int i = ii; i < ii + size && i < rows; i++)
          by_both[j * rows + i] = source[i * columns + j];
      const int end = jj + size < columns ? jj + size : columns;
      for (int j = jj; j < end; j++)
        for (int i = ii; i < least(ii + size, rows); i++)
          by_choice[j * rows + i] = source[i * columns + j];
      for (int j = jj; j < least(jj + size, columns); j++)
        for (int i = ii; i < least(ii + size, rows); i++)
          by_least[j * rows + i] = source[i * columns + j];
    }
}

int main(int argc, char **argv) {
  const int size = argc > 1 ? atoi(argv[1]) : 16;
  for (int i = 0; i < N * N; i++) {
    source[i] = i % 100;
    by_both[i] = by_choice[i] = by_least[i] = 0;
  }
  for (int step = 0; step < 10; step++)
    transpose(N, N, size);
  printf("%g %g %g\n", by_both[17], by_choice[18], by_least[19]);
  return 0;
}
