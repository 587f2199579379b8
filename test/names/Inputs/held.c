// A structure with arrays, small members and another structure in it; one that is a single array; a union.
#include <stdio.h>

enum { ROWS = 512, COLUMNS = 256 };
static struct {
  int steps;
  double rho[ROWS][COLUMNS];
  char note[100];
  struct {
    double flux[ROWS][COLUMNS];
  } edges;
} model;
static struct {
  int n;
  double only[ROWS * COLUMNS];
} single;
static union {
  double numbers[ROWS * COLUMNS];
  long bits[ROWS * COLUMNS];
} both;

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      model.rho[i][j] = i;
      model.edges.flux[i][j] = j;
      both.bits[i * COLUMNS + j] += i + model.steps;
      single.only[i * COLUMNS + j] = both.numbers[i * COLUMNS + j];
    }
  printf("sum %g\n",
         model.rho[ROWS - 1][0] + model.edges.flux[0][1] + single.only[7] + model.steps);
  return 0;
}
