/* Threads add to their members of a vector of small structs, which share lines.

   verdict: shared-lines partials
   cure: pad|align
 */
#include <omp.h>

#ifdef CURED
struct alignas(64) partial {
#else
struct partial {
#endif
  double sum;
  long count;
};
static volatile partial partials[8];

int main() {
#pragma omp parallel num_threads(8)
  {
    volatile partial &mine = partials[omp_get_thread_num()];
    for (int i = 0; i < 20000; i++) {
      mine.sum = mine.sum + i;
      mine.count = mine.count + 1;
    }
  }
  return partials[1].sum < 0;
}
