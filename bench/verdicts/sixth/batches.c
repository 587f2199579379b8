/* The first thread fills a pool with a batch for each thread, and each goes over its batch several
   times; then the next.

   verdict: placement pool
   cure: block|#pragma
 */
#include <omp.h>

enum { THREADS = 8, BATCH = 8192, ROUNDS = 6, PASSES = 4 };

static double pool[THREADS][BATCH];

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    for (int t = 0; t < THREADS; t++)
      for (int i = 0; i < BATCH; i++)
        pool[t][i] = i + round;
#pragma omp parallel num_threads(THREADS)
    {
      double *batch = pool[omp_get_thread_num()];
      for (int pass = 0; pass < PASSES; pass++)
        for (int i = 1; i < BATCH; i++)
          batch[i] += batch[i - 1] * 0.5;
    }
  }
  return pool[1][1] < 0;
}
