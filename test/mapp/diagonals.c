/* Along diagonals of a table or of planes, a[i][d - i] with i in parallel, threads have rows, which move with the diagonal.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <stdio.h>

enum { N = 512, PLANES = 16, SIDE = 64 };

// CHECK-DAG: {{^\+}}MAI_STATIC(table, "block"{{.*}}); /* mapp: rows follow index i of the parallel loop
static double table[N][N];
// CHECK-DAG: {{^\+}}MAI_STATIC_2D(planes, "block by columns"); /* mapp: index j of the parallel loop in sweep() drives dimension 2
static double planes[PLANES][SIDE][SIDE][5];

static void fill(void) {
#pragma omp parallel
  for (int d = 2; d <= 2 * (N - 1); d++) {
    const int first = d < N ? 1 : d - N + 1, last = d < N ? d - 1 : N - 1;
#pragma omp for
    for (int i = first; i <= last; i++)
      table[i][d - i] += table[i - 1][d - i] / 2 + table[i][d - i - 1] / 3;
  }
}

static void sweep(void) {
#pragma omp parallel
  for (int k = 1; k < PLANES; k++)
    for (int d = 2; d <= 2 * (SIDE - 1); d++) {
      const int first = d < SIDE ? 1 : d - SIDE + 1, last = d < SIDE ? d - 1 : SIDE - 1;
#pragma omp for
      for (int j = first; j <= last; j++) {
        const int i = d - j;
        for (int m = 0; m < 5; m++)
          planes[k][j][i][m] +=
              planes[k - 1][j][i][m] / 2 + planes[k][j - 1][i][m] / 3 + planes[k][j][i - 1][m] / 4;
      }
    }
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      table[i][j] = 1;
  for (int k = 0; k < PLANES; k++)
    for (int j = 0; j < SIDE; j++)
      for (int i = 0; i < SIDE; i++)
        for (int m = 0; m < 5; m++)
          planes[k][j][i][m] = m;
  fill();
  sweep();
  printf("%g %g\n", table[17][18], planes[3][4][5][1]);
  return 0;
}
