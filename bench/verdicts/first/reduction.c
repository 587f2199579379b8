/* A sum over what each thread has filled; only the partial sums are added up.

   verdict: none
 */
#include <stdlib.h>

enum { N = 1 << 17, ROUNDS = 10 };

int main(void) {
  double *u = malloc(N * sizeof *u);
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    u[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += u[i];
  free(u);
  return sum < 0;
}
