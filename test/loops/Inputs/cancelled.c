/* Loops that are cancelled, and loops after them. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
  atomic_long after = 0;
  for (int round = 0; round < 100; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 1000; i++) {
#pragma omp cancel for if (i == 500)
      }
#pragma omp for schedule(dynamic, 7)
      for (int i = 0; i < 1000; i++)
        atomic_fetch_add(&after, 1);
    }
  }
  printf("after: %ld\n", after);
  return 0;
}
