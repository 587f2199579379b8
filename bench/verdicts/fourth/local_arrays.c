/* Threads work on arrays on their stacks, and note a result each at the end.

   verdict: none
 */
#include <omp.h>

enum { N = 4096, ROUNDS = 40 };
static double results[8];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    volatile double own[N];
    for (int i = 0; i < N; i++)
      own[i] = i;
    for (int round = 0; round < ROUNDS; round++)
      for (int i = 1; i < N; i++)
        own[i] += own[i - 1];
    results[omp_get_thread_num()] = own[N - 1];
  }
  return results[3] < 0;
}
