/* Two arrays of the heap, filled by the loop that uses them.

   verdict: none
 */
#include <stdlib.h>

enum { N = 1 << 16, ROUNDS = 10 };

int main(void) {
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++) {
    x[i] = i;
    y[i] = 0;
  }
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      y[i] += 2 * x[i];
  const int wrong = y[5] < 0;
  free(x);
  free(y);
  return wrong;
}
