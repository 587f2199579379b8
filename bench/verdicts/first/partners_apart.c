/* Threads t and t + 4 write the elements of one array in turn, and are far from each other.

   verdict: threads
   cure: mai-map
 */
#include <omp.h>

enum { N = 1 << 14, ROUNDS = 10 };
static double u[4][N];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    const int thread = omp_get_thread_num();
    for (int round = 0; round < ROUNDS; round++)
      for (int i = thread / 4; i < N; i += 2)
        u[thread % 4][i] += 1;
  }
  return u[1][1] < 0;
}
