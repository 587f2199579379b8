/* Each thread sums into a structure of its own, two of which lie in one line. The program is traced
   with what tells which bytes threads use.

   options: --transfers
   verdict: false-sharing tallies
   cure: Alignas
 */
#include <omp.h>

enum { N = 1 << 15, ROUNDS = 2 };
static struct tally {
#ifdef CURED
  _Alignas(64)
#endif
      volatile long count;
  volatile double sum, least;
} tallies[8];
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(8)
    for (int i = 0; i < N; i++) {
      struct tally *own = &tallies[omp_get_thread_num()];
      u[i] += i;
      own->count++;
      own->sum += u[i];
    }
  return u[1] + tallies[2].sum < 0;
}
