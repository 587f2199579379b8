/* How large a block is only the run knows, so that nothing follows from it for the lengths that a function gets with a row of it: they
   are the program's own numbers.

   RUN: mapp-rewrite %s 2>/dev/null | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void smooth(int n, double row[n]) {
  for (int i = 1; i < n; i++)
    row[i] = 0.5 * (row[i] + row[i - 1]);
}

static void sweep(int n, double (*grid)[n][n]) {
#pragma omp parallel for
  for (int z = 0; z < n; z++)
    for (int y = 0; y < n; y++)
      smooth(n, grid[z][y]);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 48;
  // CHECK: {{^\+}}  double (*grid)[n][n] = MAI_PLACED_NEW(grid, malloc(MAI_BYTES((size_t)n * sizeof *grid)), sizeof *grid, "block", 0, (unsigned long)n
  double (*grid)[n][n] = malloc((size_t)n * sizeof *grid);
  for (int z = 0; z < n; z++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        grid[z][y][x] = (z + y + x) % 7;
  for (int step = 0; step < 20; step++)
    sweep(n, grid);
  printf("%g\n", grid[n / 2][3][5]);
  free(grid);
  return 0;
}
