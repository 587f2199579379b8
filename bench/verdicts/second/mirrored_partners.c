/* Threads t and 7 - t work on the same quarter of an array.

   verdict: threads
   cure: mai-map
 */
#include <omp.h>

enum { N = 1 << 14, ROUNDS = 12 };
static double u[4][N];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    const int thread = omp_get_thread_num();
    const int quarter = thread < 4 ? thread : 7 - thread;
    for (int round = 0; round < ROUNDS; round++)
      for (int i = thread / 4; i < N; i += 2)
        u[quarter][i] += i;
  }
  return u[1][1] < 0;
}
