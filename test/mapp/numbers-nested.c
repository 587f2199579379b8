// A number may be an element of a short array of short arrays of others, and so on: not all of them are looked at, of which this one has
// 8 to the power of 11.
// RUN: bash -c 'ulimit -t 20 && exec mapp-rewrite %s -- -fopenmp' | FileCheck %s
// CHECK: MAI_STATIC(grid, "block")
static int extents[8][8][8][8][8][8][8][8][8][8][8];
static double grid[100000];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100000; i++)
    grid[i] = extents[0][0][0][0][0][0][0][0][0][0][1] + i;
  return grid[1] == 2;
}
