/* The first thread fills two blocks of the heap, of which one is used much more.

   verdict: placement x
   cure: block|#pragma
 */
#include <stdlib.h>

enum { N = 1 << 16, ROUNDS = 10 };

int main(void) {
  double *x = malloc(N * sizeof *x);
  double *y = malloc(N * sizeof *y);
  for (int i = 0; i < N; i++)
    x[i] = y[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      x[i] += x[i] * round;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    y[i] += x[i];
  const int wrong = y[1] < 0;
  free(x);
  free(y);
  return wrong;
}
