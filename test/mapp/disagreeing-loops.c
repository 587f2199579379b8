/* Of loops that want different placements the one with more traffic decides, as long as no more accesses go to other
   nodes than with first touch; the report names both.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK-DAG: c:[[#]]: columns: block: rows follow index i of the parallel loop in main(); less often, index i of the parallel loop in main() drives dimension 2 (
static double columns[100][100];
// CHECK-DAG: c:[[#]]: rows: block: rows follow index i of the parallel loop in main(); less often, index i of the parallel loop in main() drives dimension 2 (
static double rows[100][100];

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      columns[i][j] = rows[j][i] = i + j;
  for (int step = 0; step < 5; step++)
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
      for (int j = 0; j < 100; j++)
        rows[i][j] = columns[j][i] += step;
  for (int i = 0; i < 100; i++)
    sum += rows[i][i] + columns[i][99 - i];
  printf("%.0f\n", sum);
  return 0;
}
