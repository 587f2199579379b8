/* Threads 0 and 2, 1 and 3, and so on, work on one grid together.

   verdict: threads
   cure: mai-map
 */
#include <omp.h>

enum { N = 1 << 14, ROUNDS = 10 };
static double grids[4][N];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    const int thread = omp_get_thread_num();
    double *grid = grids[thread / 4 * 2 + thread % 2];
    for (int round = 0; round < ROUNDS; round++)
      for (int i = thread / 2 % 2; i < N; i += 2)
        grid[i] += 1;
  }
  return grids[1][1] < 0;
}
