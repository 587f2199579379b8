/* All threads look up a large table at random, which they have filled together.

   verdict: replication table
   cure: replicate
 */
#ifdef CURED
#include <omp.h>
#endif

enum { SIZE = 1 << 18, N = 1 << 16, ROUNDS = 12 };
#ifdef CURED
_Alignas(1 << 21) static float copies[4][1 << 19]; /* one for each node, in huge pages of its own */
#else
static float table[SIZE];
#endif
static double sums[N];

int main(void) {
#ifdef CURED
#pragma omp parallel num_threads(8)
  if (omp_get_thread_num() % 2 == 0)
    for (int i = 0; i < SIZE; i++)
      copies[omp_get_thread_num() / 2][i] = (float)i;
#else
#pragma omp parallel for schedule(static)
  for (int i = 0; i < SIZE; i++)
    table[i] = (float)i;
#endif
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      sums[i] +=
#ifdef CURED
          copies[omp_get_thread_num() / 2]
#else
          table
#endif
                [((unsigned)(i * ROUNDS + round) * 2654435761U) >> 14];
  return sums[1] < 0;
}
