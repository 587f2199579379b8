/* Each thread counts in an element of its own, of one line; beside that it uses its part of an
   array.

   verdict: shared-lines counters
   cure: pad|align
 */
#include <omp.h>

enum { N = 1 << 16, ROUNDS = 4 };
#ifdef CURED
static struct {
  _Alignas(64) volatile long own;
} counters[8];
#define OF(thread) counters[thread].own
#else
static volatile long counters[8];
#define OF(thread) counters[thread]
#endif
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(8)
    for (int i = 0; i < N; i++) {
      u[i] += i;
      OF(omp_get_thread_num())++;
    }
  return u[1] + OF(2) < 0;
}
