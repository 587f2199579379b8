/* Each thread counts into a histogram of its own, which fills lines of its own; they are added up
   once.

   verdict: none
 */
#include <omp.h>

enum { N = 400000, BINS = 60, THREADS = 8 };

static struct histogram {
  _Alignas(64) long bins[BINS + 4];
} histograms[THREADS];
static unsigned char samples[N];

int main(void) {
  long all = 0;
#pragma omp parallel num_threads(THREADS)
  {
    long *bins = histograms[omp_get_thread_num()].bins;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      samples[i] = (unsigned char)(i * 7919L % 251);
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      bins[samples[i] % BINS]++;
  }
  for (int t = 0; t < THREADS; t++)
    for (int b = 0; b < BINS; b++)
      all += histograms[t].bins[b];
  return all != N;
}
