/* The program of README.md's examples. */
#include <stdio.h>

static double field[1000000];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 1000000; i++)
    field[i] = i;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < 1000000; i++)
    sum += field[i];
  printf("%g\n", sum);
}
