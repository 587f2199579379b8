/* Blocks that threads use one after the other, in the same memory, and blocks that pairs of them share. */
#include <omp.h>
#include <stdlib.h>

enum { N = 1024, THREADS = 4, ROUNDS = 8 };

/* Compilers leave out blocks that nobody sees. */
static void fill(double *array) {
  __asm__ volatile("" : : "r"(array) : "memory");
  for (int i = 0; i < N; i++)
    array[i] = i;
}

static void use_alone(void) {
  double *mine = malloc(N * sizeof *mine);
  fill(mine);
  free(mine);
}

int main(void) {
#pragma omp parallel num_threads(THREADS)
  for (int round = 0; round < ROUNDS; round++) {
    if (round % THREADS == omp_get_thread_num())
      use_alone();
#pragma omp barrier
  }
  for (int first = 0; first < THREADS; first += 2) {
    double *ours = malloc(N * sizeof *ours);
#pragma omp parallel num_threads(THREADS)
    if (omp_get_thread_num() / 2 == first / 2)
      fill(ours);
    free(ours);
  }
  return 0;
}
