/* A sparse matrix whose rows reach next to the diagonal only; each thread has filled its rows.

   verdict: none
 */
#include <stdlib.h>

enum { ROWS = 1 << 13, EACH = 9, ROUNDS = 6 };

int main(void) {
  double *values = malloc(ROWS * EACH * sizeof *values);
  int *columns = malloc(ROWS * EACH * sizeof *columns);
  double *x = malloc(ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < ROWS; row++) {
    x[row] = row;
    y[row] = 0;
    for (int k = 0; k < EACH; k++) {
      values[row * EACH + k] = k;
      columns[row * EACH + k] = (row + k - EACH / 2 + ROWS) % ROWS;
    }
  }
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int row = 0; row < ROWS; row++)
      for (int k = 0; k < EACH; k++)
        y[row] += values[row * EACH + k] * x[columns[row * EACH + k]];
  const int wrong = y[5] < 0;
  free(values);
  free(columns);
  free(x);
  free(y);
  return wrong;
}
