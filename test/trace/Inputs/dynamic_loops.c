// One thread fills a table, in which each of four threads then looks up as much, anywhere. With dynamic loops that is so because they wait
// for one another.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, N = 1 << 17, LOOKUPS = 1 << 22 };

static double look_up(const double *table, unsigned seed) {
  double result = 0;
  for (int i = 0; i < LOOKUPS; i++) {
    seed = seed * 1664525 + 1013904223;
    result += table[(seed >> 8) % N];
  }
  return result;
}

int main(void) {
  double *table = malloc(N * sizeof *table);
  double result = 0;
  atomic_int waiting = THREADS;
  for (int i = 0; i < N; i++)
    table[i] = i;
#pragma omp parallel num_threads(THREADS) reduction(+ : result)
  {
#pragma omp for schedule(SCHEDULE)
    for (int piece = 0; piece < THREADS; piece++) {
      for (atomic_fetch_sub(&waiting, 1); atomic_load(&waiting) > 0;)
        sched_yield();
      result += look_up(table, (unsigned)piece);
    }
  }
  printf("%g\n", result);
  free(table);
}
