/* Chunks of schedule(static, k) of half a page or more are distributed to the nodes as the loop distributes
   them to the threads; smaller ones leave no page to a node.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(chunks, "block-cyclic 1024");
// CHECK: {{^}}+MAI_STATIC(rows, "block-cyclic 16", 1, 0);
// CHECK: {{^}}+MAI_STATIC(halves, "block-cyclic 1");
// CHECK: {{^}}+MAI_STATIC(small, "cyclic on threads");
// CHECK: chunks: block-cyclic 1024: schedule(static, 1024) distributes its elements in main()
static double chunks[16384];
static double rows[402][100];
static double halves[400][300];
static double small[16384];

int main(void) {
#pragma omp parallel for schedule(static, 1024)
  for (int i = 0; i < 16384; i++)
    chunks[i] = i;
#pragma omp parallel for schedule(static, 16)
  for (int i = 1; i <= 400; i++)
    for (int j = 0; j < 100; j++)
      rows[i][j] = i - j;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 400; i++)
    for (int j = 0; j < 300; j++)
      halves[i][j] = i - j;
#pragma omp parallel for schedule(static, 16)
  for (int i = 0; i < 16384; i++)
    small[i] = i;
  printf("%.0f\n", chunks[16383] + rows[400][99] + halves[9][4] + small[4]);
  return 0;
}
