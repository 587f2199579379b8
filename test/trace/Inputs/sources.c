/* Each line below that accesses memory does so a known number of times. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 16, ROUNDS = 3 };

static double from[N], to[N];
static long sum;

int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      from[i] = i; /* 65536 writes */
    for (int round = 0; round < ROUNDS; round++)
#pragma omp for schedule(static)
      for (int i = 0; i < N; i++) {
        double other = from[N - 1 - i]; /* 196608 reads */
        to[i] += other;                 /* 196608 reads and writes */
      }
    for (int i = 0; i < 100; i++)
#pragma omp atomic
      sum += i; /* 400 reads and writes */
  }
  memset(from, 1, sizeof from); /* 65536 writes */
  for (int round = 0; round < ROUNDS; round++) {
    double *block = malloc(sizeof *block * N);
    for (int i = 0; i < N; i++)
      ((volatile double *)block)[i] = to[i]; /* 196608 writes, and as many reads */
    free(block);
  }
  return to[7] > 1e9;
}
