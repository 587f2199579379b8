/* The first thread allocates and fills a large buffer for each thread.

   verdict: placement buffers
   cure: block|mapp-rewrite|#pragma
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16384, ROUNDS = 6 };
static double *buffers[8];

int main(void) {
#ifdef CURED
#pragma omp parallel for schedule(static) num_threads(8)
#endif
  for (int i = 0; i < 8; i++) {
    buffers[i] = malloc(N * sizeof *buffers[i]);
    memset(buffers[i], 1, N * sizeof *buffers[i]);
  }
#pragma omp parallel num_threads(8)
  {
    double *mine = buffers[omp_get_thread_num()];
    for (int round = 0; round < ROUNDS; round++)
      for (int i = 0; i < N; i++)
        mine[i] += i;
  }
  return buffers[1][1] < 0;
}
