/* Each thread allocates, uses and frees blocks of its own; the heap gives freed ones to other
   threads.

   verdict: none
 */
#include <stdlib.h>

enum { BLOCKS = 200, N = 4096 };

int main(void) {
  double sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int block = 0; block < BLOCKS; block++) {
    double *mine = malloc(N * sizeof *mine);
    for (int i = 0; i < N; i++)
      mine[i] = i;
    for (int round = 0; round < 4; round++)
      for (int i = 0; i < N; i++)
        sum += mine[i] += round;
    free(mine);
  }
  return sum < 0;
}
