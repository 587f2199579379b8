/* Each thread counts in an element of its own, of one line; beside that it uses its part of an
   array.

   verdict: shared-lines counters
   cure: pad|align
 */
#include <omp.h>

enum { N = 1 << 16, ROUNDS = 4 };
static volatile long counters[8];
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(8)
    for (int i = 0; i < N; i++) {
      u[i] += i;
      counters[omp_get_thread_num()]++;
    }
  return u[1] + counters[2] < 0;
}
