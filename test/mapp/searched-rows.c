/* What a loop changes in ways that nobody follows depends on where it began: a binary search in a thread's own row of a sparse
   matrix is no access that every thread makes to all of it, so the array is divided as the rows are.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

enum { ROWS = 3000, MOST = 12 };

static int start[ROWS + 1];
// CHECK-DAG: {{^}}+MAI_STATIC(column, "block along start filled"); /* mapp: {{.*}}; also indexed indirectly
static int column[ROWS * MOST];
static double result[ROWS];

static int find(int row, int wanted) {
  int low = start[row], high = start[row + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (column[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    start[i + 1] = start[i] + 4 + i % (MOST - 4);
  for (int i = 0; i < ROWS; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      column[k] = i + k - start[i];
  for (int step = 0; step < 8; step++) {
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
      for (int k = start[i]; k < start[i + 1]; k++)
        result[i] += column[k];
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
      for (int near = 0; near < 4; near++)
        result[i] += find(i, i + near);
  }
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    sum += result[i];
  printf("%g\n", sum);
  return 0;
}
