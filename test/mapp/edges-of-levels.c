/* A function goes over grids of several sizes, each but for its edges.  How large the grid is that it has at the time nothing tells where
   rows are allocated, but all leave out the same in front: what the threads share out is said to be what lies between such edges.

   RUN: mapp-rewrite -o %t.c %s
   RUN: FileCheck --input-file=%t.c %s
   RUN: %{gcc} -w %s -o %t.before && %{gcc} -w %t.c -o %t.after %{mai}
   RUN: %t.before > %t.expected && %t.after | diff - %t.expected
 */
#include <stdio.h>
#include <stdlib.h>

static double **new_grid(int rows) {
  double **grid = malloc(rows * sizeof *grid);
  for (int i = 0; i < rows; i++)
    // CHECK: {{^ *}}grid[i] = MAI_PLACED_ROW(grid[i], calloc({{.*}}), (unsigned long)i, (unsigned long)rows, "block", 2, (unsigned long)rows - 4 /*
    grid[i] = calloc(rows, sizeof **grid);
  return grid;
}

static void smooth(double **from, double **to, int rows) {
#pragma omp parallel for
  for (int i = 2; i < rows - 2; i++)
    for (int j = 2; j < rows - 2; j++)
      to[i][j] = 1 + (from[i - 2][j] + from[i + 2][j] + from[i][j - 2] + from[i][j + 2]) / 4;
}

int main(void) {
  enum { LEVELS = 3 };
  double **here[LEVELS], **there[LEVELS], sum = 0;
  int rows[LEVELS];
  for (int level = 0; level < LEVELS; level++) {
    rows[level] = (64 << level) + 4;
    here[level] = new_grid(rows[level]);
    there[level] = new_grid(rows[level]);
  }
  for (int round = 0; round < 20; round++)
    for (int level = 0; level < LEVELS; level++) {
      smooth(here[level], there[level], rows[level]);
      smooth(there[level], here[level], rows[level]);
    }
  for (int level = 0; level < LEVELS; level++)
    sum += here[level][rows[level] / 2][rows[level] / 3];
  printf("%.17g\n", sum);
  return 0;
}
