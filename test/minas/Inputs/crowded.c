/* The first thread touches what all threads use again and again. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4000000, ROUNDS = 4 };

int main(void) {
  double *u = malloc(COUNT * sizeof *u), sum = 0;
  for (int i = 0; u && i < COUNT; i++)
    u[i] = i;
  for (int round = 0; u && round < ROUNDS; round++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < COUNT; i++)
      sum += u[i] *= 1.0001;
  }
  printf("%g\n", sum);
  free(u);
  return 0;
}
