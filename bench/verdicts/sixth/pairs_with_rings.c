/* Neighbouring threads are a producer and a consumer with a ring of pages between them, which the
   consumer has cleared. What they pass on is the work.

   verdict: none
 */
#include <omp.h>

enum { THREADS = 8, PAIRS = THREADS / 2, ITEMS = 4096, ROUNDS = 8 };

static _Alignas(4096) double rings[PAIRS][ITEMS];

int main(void) {
  double all = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : all)
  {
    const int thread = omp_get_thread_num();
    double *ring = rings[thread / 2];
    if (thread % 2)
      for (int i = 0; i < ITEMS; i++)
        ring[i] = 0;
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp barrier
      if (thread % 2 == 0)
        for (int i = 0; i < ITEMS; i++)
          ring[i] = i * round;
#pragma omp barrier
      if (thread % 2)
        for (int i = 0; i < ITEMS; i++)
          all += ring[i];
    }
  }
  return all < 0;
}
