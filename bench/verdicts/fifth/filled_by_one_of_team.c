/* Within a parallel region one of the threads fills what all use then.

   verdict: placement u
   cure: block|#pragma
 */
#include <stdlib.h>

enum { N = 1 << 17, ROUNDS = 8 };

int main(void) {
  double *u = calloc(N, sizeof *u);
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < N; i++)
      u[i] = i;
    for (int round = 0; round < ROUNDS; round++)
#pragma omp for schedule(static)
      for (int i = 0; i < N; i++)
        u[i] = u[i] * 0.5 + round;
  }
  return u[1] < 0;
}
