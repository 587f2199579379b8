/* A loop along the borders of a grid gives its threads columns, not rows, and hardly counts beside those
   that go over the whole grid, however often it runs; also where rows are as long as the run decides,
   and where nothing tells how long that is.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain grid %s | FileCheck --check-prefix=GRID %s
   RUN: mapp-rewrite --explain other %s | FileCheck --check-prefix=OTHER %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

enum { N = 200 };

// CHECK: c:[[#]]: grid: block, 1, (N + 2) - 2: rows follow index i of the parallel loop in relax()
// GRID-DAG: read: index j of the parallel loop in wrap() drives dimension 2
// GRID-DAG: write: index j of the parallel loop in wrap() drives dimension 2
// GRID-NOT: {{rows follow .* wrap}}
static double grid[N + 2][N + 2];
// CHECK: c:[[#]]: other: block: elements follow index i of the parallel loop in relax()
// OTHER-DAG: read: index j of the parallel loop in wrap() does not drive its slowest index
// OTHER-DAG: write: index j of the parallel loop in wrap() does not drive its slowest index
// OTHER-NOT: {{elements follow .* wrap}}
static double other[50000];

static void wrap(int n, double x[n + 2][n + 2]) {
#pragma omp parallel for
  for (int j = 0; j < n + 2; j++) {
    x[0][j] = x[n][j];
    x[n + 1][j] = x[1][j];
  }
}

static void relax(int n, double x[n + 2][n + 2]) {
#pragma omp parallel for
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      x[i][j] = 0.5 * x[i][j] + i - j;
}

int main(int argc, char **argv) {
  (void)argv;
  const int n = N * argc;
  for (int step = 0; step < 10; step++) {
    relax(n, grid);
    relax(n, (double(*)[n + 2])other);
    for (int times = 0; times < 8; times++) {
      wrap(n, grid);
      wrap(n, (double(*)[n + 2])other);
    }
  }
  printf("%.3f %.3f\n", grid[0][1], other[3]);
  return 0;
}
