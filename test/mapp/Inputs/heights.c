/* Volumes over the cells of a grid, by the heights of their corners. */
#include <stdio.h>
#include <stdlib.h>

enum { Side = 110, Corners = (Side + 1) * (Side + 1), Cells = Side * Side };

int main(void) {
  double *height = malloc(Corners * sizeof *height), *volume = malloc(Cells * sizeof *volume);
  int(*corner)[4] = malloc(Cells * sizeof *corner);
  for (int i = 0; i < Corners; i++)
    height[i] = i % 7;
  for (int c = 0; c < Cells; c++) {
    const int first = c / Side * (Side + 1) + c % Side;
    for (int k = 0; k < 4; k++)
      corner[c][k] = first + k % 2 + k / 2 * (Side + 1);
  }
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for schedule(static)
    for (int c = 0; c < Cells; c++) {
      volume[c] = 0;
      for (int k = 0; k < 4; k++)
        volume[c] += height[corner[c][k]] / 4;
    }
  }
  printf("%g\n", volume[Cells / 2]);
  return 0;
}
