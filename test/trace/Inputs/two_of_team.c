/* Threads at both ends of the team share an array: the first and the last one, or the next ones, too, each pair another array.
   The argument is how many threads do so. */
#include <omp.h>
#include <stdlib.h>

enum { PAIRS = 4, LENGTH = 1 << 15 };
static double u[PAIRS][LENGTH];

int main(int count, char **arguments) {
  const int sharing = count > 1 ? atoi(arguments[1]) : 2;
#pragma omp parallel
  {
    const int own = omp_get_thread_num(), last = omp_get_num_threads() - 1;
    const int pair = own <= last / 2 ? own : last - own;
    if (pair < sharing / 2)
      for (int pass = 0; pass < 4; pass++) {
        for (int i = own > last / 2; i < LENGTH; i += 2)
          u[pair][i] += 1;
#pragma omp atomic
        u[pair][0] += 0;
      }
  }
  return u[0][1] < 0;
}
