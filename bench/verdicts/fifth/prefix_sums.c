/* Threads sum up their parts, the first adds these sums up, and threads add what came before to
   their parts.

   verdict: none
 */
#include <omp.h>

enum { N = 1 << 18, ROUNDS = 4 };
static long values[N];
static long sums[9];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    values[i] = 1;
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(8)
    {
      long sum = 0;
#pragma omp for schedule(static)
      for (int i = 0; i < N; i++)
        values[i] = sum += values[i];
      sums[omp_get_thread_num() + 1] = sum;
    }
    for (int thread = 1; thread <= 8; thread++)
      sums[thread] += sums[thread - 1];
#pragma omp parallel num_threads(8)
    {
      const long before = sums[omp_get_thread_num()];
#pragma omp for schedule(static)
      for (int i = 0; i < N; i++)
        values[i] += before;
    }
  }
  return values[1] < 0;
}
