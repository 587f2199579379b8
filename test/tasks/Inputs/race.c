/* A tree of tasks that add up an array.  With RACE nobody waits for the halves before these are added. */
#include <stdio.h>

enum { COUNT = 4096 };
static long numbers[COUNT];

static void sum(long from, long to, long *result) {
  if (to - from <= 64) {
    for (long i = from; i < to; i++)
      *result += numbers[i];
    return;
  }
  long middle = (from + to) / 2;
  long halves[2] = {0};
#pragma omp task shared(halves)
  sum(from, middle, &halves[0]);
#pragma omp task shared(halves)
  sum(middle, to, &halves[1]);
#ifdef RACE
  *result = halves[0] + halves[1];
#endif
#pragma omp taskwait
  *result = halves[0] + halves[1];
}

int main(void) {
  long result = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int round = 0; round < 20; round++) {
    for (long i = 0; i < COUNT; i++)
      numbers[i] = i;
    sum(0, COUNT, &result);
  }
  printf("%ld\n", result);
}
