/* What a function does with a parameter it does with the array that is passed, however the
   parameter is declared.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

// CHECK-DAG: c:[[#]]: cube: block: rows follow index i of the parallel loop in slices() (
// CHECK-DAG: c:[[#]]: flat: block: rows follow index i of the parallel loop in elements() (
// CHECK-DAG: c:[[#]]: variable: block: rows follow index i of the parallel loop in square() (
static double cube[50][10][20], flat[50][200], variable[100][100];

static void slices(double u[][10][20]) {
#pragma omp parallel for
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 10; j++)
      for (int k = 0; k < 20; k++)
        u[i][j][k] = i + j * k;
}

static void elements(int n, double *u) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 200; j++)
      u[i * 200 + j] = i - j;
}

static void square(int n, double u[n][n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i][j] = i * j;
}

int main(void) {
  slices(cube);
  elements(50, &flat[0][0]);
  square(100, variable);
  printf("%.0f %.0f %.0f\n", cube[49][9][19], flat[49][19], variable[99][98]);
  return 0;
}
