/* Threads allocate a buffer each, in another order in each step. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 50, NUMBERS = 8192 };

static double *buffer_of(int thread, int step, int threads) {
  double *buffer = NULL;
  for (int turn = 0; turn < threads; turn++) {
    if ((thread + step) % threads == turn)
      buffer = malloc(NUMBERS * sizeof *buffer);
#pragma omp barrier
  }
  return buffer;
}

int main(void) {
  double sum = 0;
  for (int step = 0; step < STEPS; step++) {
#pragma omp parallel reduction(+ : sum)
    {
      double *buffer = buffer_of(omp_get_thread_num(), step, omp_get_num_threads());
      for (int i = 0; i < NUMBERS; i++)
        buffer[i] = i;
      for (int i = 0; i < NUMBERS; i++)
        sum += buffer[i];
#pragma omp barrier
      free(buffer);
    }
  }
  printf("%g\n", sum);
  return 0;
}
