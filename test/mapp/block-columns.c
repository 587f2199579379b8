/* Where the parallel index drives a faster dimension and rows are long, columns are divided, in the
   order of the threads; where rows are short, pages are distributed.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC_2D(wide, "block by columns");
// CHECK: {{^}}+MAI_STATIC_3D(deep, "block by dimension 2");
// CHECK: {{^}}+MAI_STATIC(narrow, "cyclic on threads");
// CHECK: {{^}}+MAI_STATIC_2D(backwards, "block by columns reversed");
// CHECK: wide: block by columns: index j of the parallel loop in main() drives dimension 2
// CHECK: deep: block by dimension 2: index j of the parallel loop in main() drives dimension 3
static double wide[4][20000];
static double deep[2][2][20000];
static double narrow[400][200];
static double backwards[4][20000];

int main(void) {
#pragma omp parallel for
  for (int j = 0; j < 20000; j++)
    for (int i = 0; i < 4; i++)
      wide[i][j] = deep[1][i > 1][j] = i - j;
#pragma omp parallel for
  for (int j = 0; j < 200; j++)
    for (int i = 0; i < 400; i++)
      narrow[i][j] = i - j;
#pragma omp parallel for
  for (int j = 19999; j >= 0; j--)
    for (int i = 0; i < 4; i++)
      backwards[i][j] = i - j;
  printf("%.0f\n", wide[3][7] + deep[1][1][7] + narrow[3][7] + backwards[3][7]);
  return 0;
}
