/* One thread makes messages in a small ring, and another one takes them: handing them over is the
   work.

   verdict: none
 */
#include <omp.h>
#include <stdatomic.h>

enum { SLOTS = 8, WORDS = 64, MESSAGES = 400 };
static double ring[SLOTS][WORDS];
static atomic_int made, taken;

static void produce(void) {
  for (int m = 0; m < MESSAGES; m++) {
    while (m - atomic_load(&taken) >= SLOTS)
      ;
    for (int i = 0; i < WORDS; i++)
      ring[m % SLOTS][i] = m + i;
    atomic_store(&made, m + 1);
  }
}

static double consume(void) {
  static double work[1 << 14];
  double sum = 0;
  for (int m = 0; m < MESSAGES; m++) {
    while (atomic_load(&made) <= m)
      ;
    for (int i = 0; i < WORDS; i++)
      sum += ring[m % SLOTS][i];
    atomic_store(&taken, m + 1);
    for (int i = 0; i < 1 << 14; i++)
      work[i] += sum;
  }
  return sum + work[5];
}

int main(void) {
  double sum = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    produce();
  else
    sum = consume();
  return sum < 0;
}
