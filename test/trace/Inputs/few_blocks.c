/* Two blocks of one place, each of them used by one thread of eight, as it happens. */
#include <omp.h>
#include <stdlib.h>

enum { BLOCKS = 2, N = 1 << 14, THREADS = 8 };

static double own[THREADS * N];

int main(void) {
  double *blocks[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = malloc(N * sizeof(double));
    for (int j = 0; j < N; j++)
      blocks[i][j] = 1;
  }
  for (int step = 0; step < 10; step++)
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    for (int i = 0; i < N; i++)
      own[thread * N + i] += 1;
    if (thread == 1 || thread == 6)
      for (int i = 0; i < N; i++)
        blocks[thread == 6][i] += 1;
  }
  return blocks[1][0] < 1;
}
