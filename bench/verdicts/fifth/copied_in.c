/* The first thread copies what it has been given into two arrays: one is filled again by those that
   use it, which is too late.

   verdict: placement work
   cure: block|#pragma
 */
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 16, ROUNDS = 8 };
static double given[N];

int main(void) {
  double *work = malloc(N * sizeof *work);
  for (int i = 0; i < N; i++)
    given[i] = i;
  memcpy(work, given, N * sizeof *work);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    work[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 1; i < N; i++)
      work[i] = work[i] * 0.5 + round;
  return work[1] < 0;
}
