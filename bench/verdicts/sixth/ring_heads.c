/* Each thread has a ring buffer of its own, but the heads and tails of all rings stand in one small
   array.

   verdict: false-sharing rings
   cure: lign|pad
   options: --transfers
 */
#include <omp.h>

enum { THREADS = 8, ITEMS = 4096, ROUNDS = 40000 };

static volatile struct {
  long head, tail;
} rings[THREADS];

int main(void) {
  double all = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : all)
  {
    const int thread = omp_get_thread_num();
    double items[ITEMS];
    for (int round = 0; round < ROUNDS; round++) {
      items[rings[thread].head++ % ITEMS] = round;
      all += items[rings[thread].tail++ % ITEMS];
    }
  }
  return all < 0;
}
