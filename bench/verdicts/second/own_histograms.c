/* Each thread counts in a histogram of its own; they are added up once, at the end.

   verdict: none
 */
#include <omp.h>

enum { BINS = 1024, N = 1 << 15, ROUNDS = 4 };
static long histograms[8][BINS], all[BINS];
static unsigned keys[N];

int main(void) {
#pragma omp parallel num_threads(8)
  {
    long *mine = histograms[omp_get_thread_num()];
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      keys[i] = (unsigned)i * 2654435761U >> 22;
    for (int round = 0; round < ROUNDS; round++)
#pragma omp for schedule(static)
      for (int i = 0; i < N; i++)
        mine[keys[i]]++;
  }
  for (int thread = 0; thread < 8; thread++)
    for (int bin = 0; bin < BINS; bin++)
      all[bin] += histograms[thread][bin];
  return all[1] < 0;
}
