/* Arrays of 1024 lines, more than a first cache has, that one thread writes and another reads, or
   one reads in order and in disorder. */
#include <stdio.h>

#include <omp.h>

enum { LINES = 1024, IN_LINE = 8 };

_Alignas(65536) long passed[LINES * IN_LINE];
_Alignas(65536) long in_order[LINES * IN_LINE];
_Alignas(65536) long in_disorder[LINES * IN_LINE];

static void write_all(void) {
  for (long i = 0; i < LINES * IN_LINE; i++)
    passed[i] = i;
}

/* A line after the other, or each 389th, which is never near. */
static long read_all(const long *array, long step) {
  long sum = 0;
  for (long line = 0; line < LINES; line++)
    for (long i = 0; i < IN_LINE; i++)
      sum += array[line * step % LINES * IN_LINE + i];
  return sum;
}

int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  for (int round = 0; round < 2; round++) {
    if (omp_get_thread_num() == 0)
      write_all();
#pragma omp barrier
    if (omp_get_thread_num() == 1)
      sum += read_all(passed, 1);
#pragma omp barrier
    if (omp_get_thread_num() == 1)
      sum += read_all(in_order, 1) + read_all(in_disorder, 389);
#pragma omp barrier
  }
  printf("%ld\n", sum);
}
