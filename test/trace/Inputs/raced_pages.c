/* All threads write places anywhere of an array, of which the one that the argument says is the first here, or thread 3; then the
   first thread reads most of it. */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, COUNT = 1 << 18, STEP = 64, MORE = 24 };

int main(int argc, char **argv) {
  const int first = argc > 1 ? atoi(argv[1]) : THREADS - 1;
  double *field = malloc(COUNT * sizeof *field);
  atomic_int waiting = 1;
  double sum = 0;
#pragma omp parallel num_threads(THREADS)
  {
    const int me = omp_get_thread_num();
    while (me != first && atomic_load(&waiting))
      sched_yield();
    for (int i = me; i < COUNT; i += THREADS)
      field[i] = i;
    atomic_store(&waiting, 0);
  }
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
  for (int round = omp_get_thread_num() == 0 ? 0 : 5; round < 6; round++)
    for (int i = 0; i < COUNT; i++)
      sum += field[i];
  printf("%g\n", sum);
  free(field);
  return 0;
}
