/* Threads pass messages of a page to the next, and compute in memory of their own between.

   verdict: none
 */
#include <omp.h>
#include <stdlib.h>

enum { N = 1 << 14, MESSAGE = 512, ROUNDS = 12, THREADS = 8 };
static double *boxes[THREADS];

int main(void) {
  double all = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : all)
  {
    const int thread = omp_get_thread_num();
    double *own = calloc(N, sizeof *own);
    boxes[thread] = calloc(MESSAGE, sizeof(double));
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 1; i < N; i++)
        own[i] += own[i - 1] + round;
      for (int i = 0; i < MESSAGE; i++)
        boxes[thread][i] = own[i];
#pragma omp barrier
      for (int i = 0; i < MESSAGE; i++)
        own[N - 1 - i] = boxes[(thread + THREADS - 1) % THREADS][i];
#pragma omp barrier
    }
    all += own[1];
  }
  return all < 0;
}
