/* One thread writes, others read; two write in turn; all have a counter of their own in one line. */
#include <omp.h>
#include <stdlib.h>

enum { LINE = 8, LINES = 100, N = LINE * LINES, THREADS = 4, ROUNDS = 5 };

static _Alignas(64) double given[N], exchanged[N];
static _Alignas(64) int counters[2 * LINE];

static void write_all(double *array) {
  for (int i = 0; i < N; i++)
    ((volatile double *)array)[i] = i;
}

static void read_all(const double *array) {
  for (int i = 0; i < N; i++)
    (void)((const volatile double *)array)[i];
}

static void count_in_turn(int me) {
  for (int turn = 0; turn < ROUNDS * THREADS; turn++) {
#pragma omp barrier
    if (turn % THREADS == me)
      ((volatile int *)counters)[me] = turn;
  }
}

int main(void) {
  double *block = aligned_alloc(64, N * sizeof *block);
#pragma omp parallel num_threads(THREADS)
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < ROUNDS; round++) {
      if (me == 1)
        write_all(given);
#pragma omp barrier
      if (me >= 2)
        read_all(given);
#pragma omp barrier
    }
    for (int round = 0; round < ROUNDS; round++) {
      if (me == round % 2)
        write_all(exchanged);
#pragma omp barrier
    }
    count_in_turn(me);
    if (me == 3)
      write_all(block);
  }
  free(block);
  block = aligned_alloc(64, N * sizeof *block);
  read_all(block);
  free(block);
  return 0;
}
