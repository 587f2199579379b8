/* Three tasks that do nothing, and one that computes. */
#include <stdio.h>

static volatile long sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < 4; i++)
#pragma omp task
    for (long j = 0; j < i / 3 * 50000000; j++)
      sum += j;
  printf("%ld\n", sum);
}
