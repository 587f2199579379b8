/* Each of 4 threads shares the borders of its part of a grid with its neighbours. */
#include <stdio.h>

enum { N = 512, STEPS = 10 };
_Alignas(4096) static double grid[N][N], next[N][N];

int main(void) {
#pragma omp parallel num_threads(4)
  for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(static)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        next[i][j] = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
#pragma omp for schedule(static)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        grid[i][j] = next[i][j] + 1;
  }
  printf("%g\n", grid[1][1]);
}
