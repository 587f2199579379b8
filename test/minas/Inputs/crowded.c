/* The first thread touches what all threads use again and again; with OWN each what it uses. */
#include <stdio.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 60
#endif
enum { COUNT = 4000000 };

int main(void) {
  double *u = malloc(COUNT * sizeof *u), sum = 0;
#ifdef OWN
#pragma omp parallel for
#endif
  for (int i = 0; i < COUNT; i++)
    u[i] = i;
  /* A sum waits for its accesses alone, so a timer's samples stop the threads at accesses. */
  for (int round = 0; u && round < ROUNDS; round++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < COUNT; i++)
      sum += u[i];
  }
  printf("%g\n", sum);
  free(u);
  return 0;
}
