/* All threads have filled their parts but the last, whose part the first thread has filled.

   verdict: placement u
   cure: block|bind|#pragma
 */
#include <omp.h>

enum { PART = 1 << 13, ROUNDS = 10 };
static double u[8][PART];

static void fill(int part) {
  for (int i = 0; i < PART; i++)
    u[part][i] = i;
}

int main(void) {
  fill(7);
#pragma omp parallel num_threads(8)
  {
    const int thread = omp_get_thread_num();
    if (thread != 7)
      fill(thread);
#pragma omp barrier
    for (int round = 0; round < ROUNDS; round++)
      for (int i = 0; i < PART; i++)
        u[thread][i] += 1;
  }
  return u[7][1] < 0;
}
