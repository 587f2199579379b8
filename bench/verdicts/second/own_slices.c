/* Each thread has a slice of its own of a static array, and nobody else touches it.

   verdict: none
 */
#include <omp.h>

enum { WORDS = 6000, ROUNDS = 10 };
static double slices[8][WORDS];

int main(void) {
#pragma omp parallel num_threads(8)
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < WORDS; i++)
      slices[omp_get_thread_num()][i] += i;
  return slices[3][7] < 0;
}
