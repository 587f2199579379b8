/* Rows that follow the parallel index lie in one block a thread; a row or two that a stencil leaves
   out at the edges are not worth a range.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK: {{^}}+MAI_STATIC(from, "block");
// CHECK-NEXT: {{^}}+MAI_STATIC(to, "block");
static double from[200][64], to[200][64];

int main(void) {
  // CHECK: c:[[#]]: from: block: rows follow index i of the parallel loop in main() ({{.*}}c:[[#FIRST:]])
  // CHECK-NEXT: c:[[#]]: to: block: rows follow index i of the parallel loop in main() ({{.*}}c:[[#FIRST+4]])
#pragma omp parallel for
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 64; j++)
      from[i][j] = i * j;
#pragma omp parallel for
  for (int i = 1; i < 199; i++)
    for (int j = 1; j < 63; j++)
      to[i][j] = from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1];
  printf("%.0f %.0f\n", to[1][1], to[198][62]);
  return 0;
}
