/* Each thread counts in its element; one writes beside what all read; all count in one variable. */
#include <omp.h>
#include <string.h>

enum { ROUNDS = 1 << 15, THREADS = 4 };

static _Alignas(64) volatile long counters[8];
static _Alignas(64) volatile struct {
  long scale[7], done;
} state;
static _Alignas(64) long common[8];

int main(void) {
  memset((void *)counters, 1, sizeof counters);
  memset((void *)&state, 1, sizeof state);
#pragma omp parallel num_threads(THREADS)
  {
    int me = omp_get_thread_num();
    for (int i = 0; i < ROUNDS; i++) {
      counters[me] += state.scale[me];
      if (me == 0)
        state.done = i;
#pragma omp atomic
      common[0]++;
    }
  }
  return common[0] == 7;
}
