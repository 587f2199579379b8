/* The first thread builds a sparse matrix, the largest of its arrays being the values; all threads
   multiply.

   verdict: placement values
   cure: block|#pragma
 */
#include <stdlib.h>

enum { ROWS = 1 << 13, EACH = 12, ROUNDS = 8 };

int main(void) {
  double *values = malloc(ROWS * EACH * sizeof *values);
  int *columns = malloc(ROWS * EACH * sizeof *columns);
  double *x = malloc(ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
  for (int row = 0; row < ROWS; row++) {
    for (int k = 0; k < EACH; k++) {
      values[row * EACH + k] = k;
      columns[row * EACH + k] = (row * 31 + k * 977) % ROWS;
    }
  }
#pragma omp parallel for schedule(static)
  for (int row = 0; row < ROWS; row++)
    x[row] = y[row] = row;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int row = 0; row < ROWS; row++) {
      double sum = 0;
      for (int k = 0; k < EACH; k++)
        sum += (values[row * EACH + k] *= 1.5) * x[columns[row * EACH + k]];
      y[row] += sum;
    }
  const int wrong = y[5] < 0;
  free(values);
  free(columns);
  free(x);
  free(y);
  return wrong;
}
