/* A function that serves arrays of all sizes runs over each as its loops do: what `n` is for an array
   follows from the declaration, as rows are equally long. So the borders of each grid are left out
   of its threads' shares, also where grids are looked up in a table, by planes, or by two of their
   points at a time.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: mapp-rewrite --explain fine %s | FileCheck --check-prefix=EXPLAIN %s
   RUN: %{run-rewritten} %t %s
   RUN: %{run-rewritten} %t --mode=heap %s
*/
#include <stdio.h>

enum { N = 64, ROWS = 40, COLUMNS = 90 };

// CHECK: c:[[#]]: fine: block, 1, (N + 2) - 2: rows follow index k of the parallel loop in relax()
static double fine[N + 2][N + 2][N + 2];
// CHECK: c:[[#]]: coarse: block, 1, (N / 2 + 2) - 2: rows follow index k of the parallel loop in relax()
static double coarse[N / 2 + 2][N / 2 + 2][N / 2 + 2];
// CHECK: c:[[#]]: coarser: block, 1, (N / 4 + 2) - 2: rows follow index k of the parallel loop in relax()
static double coarser[N / 4 + 2][N / 4 + 2][N / 4 + 2];
static void *const grids[] = {fine, coarse, coarser};
// CHECK: c:[[#]]: oblong: block, 2, (ROWS) - 4: rows follow index i of the parallel loop in smooth()
static double oblong[ROWS][COLUMNS];
// No n has rows of that length and fits: nothing is known of it.
// CHECK: c:[[#]]: odd: block: rows follow index i of the parallel loop in scale()
static double odd[ROWS][COLUMNS];

static void wrap_plane(int n, double plane[n + 2][n + 2]) {
  for (int i = 0; i < n + 2; i++) {
    plane[0][i] = plane[n][i];
    plane[n + 1][i] = plane[1][i];
  }
}

// EXPLAIN-NOT: {{about [0-9]+ steps}}
// EXPLAIN: relax() {{.*}}, units 1..64; 2359296 steps
// EXPLAIN-NOT: {{about [0-9]+ steps}}
static void relax(int n, double x[n + 2][n + 2][n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= n; k++) {
    for (int j = 1; j <= n; j++)
      for (int i = 1; i <= n; i++)
        x[k][j][i] += k - j + i;
    wrap_plane(n, x[k]);
  }
}

static void restrict_to(int n, double to[n + 2][n + 2][n + 2],
                        double from[2 * n + 2][2 * n + 2][2 * n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= n; k++)
    for (int j = 1; j <= n; j++)
      for (int i = 1; i <= n; i++)
        to[k][j][i] += from[2 * k][2 * j][2 * i];
}

static void smooth(int rows, int columns, double x[rows][columns]) {
#pragma omp parallel for
  for (int i = 2; i < rows - 2; i++)
    for (int j = 2; j < columns - 2; j++)
      x[i][j] += i * j;
}

static void scale(int n, double x[n][n]) {
#pragma omp parallel for
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      x[i][j] += i * j;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int step = 0; step < 3; step++) {
    for (int level = 0; level < 3; level++)
      relax(N >> level, grids[level]);
    for (int level = 0; level < 2; level++)
      restrict_to(N >> (level + 1), grids[level + 1], grids[level]);
  }
  for (int step = 0; step < 3; step++) {
    smooth(ROWS * argc, COLUMNS * argc, oblong);
    scale(ROWS * argc, (double(*)[ROWS * argc])odd);
  }
  printf("%.0f %.0f %.0f %.0f %.0f\n", fine[1][2][3], coarse[4][5][6], coarser[7][8][9],
         oblong[10][11], odd[12][13]);
  return 0;
}
