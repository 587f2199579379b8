// Whose share it is, told by another file: for thread-answers.c.
#include "shares.h"
#include <omp.h>

int my_number(void) {
  int me = 0;
#ifdef _OPENMP
  me = omp_get_thread_num();
#endif
  return me;
}

static int bound(int n, int of) {
  const int team = omp_get_num_threads();
  if (of <= 0)
    return 0;
  if (of >= team)
    return n;
  return (int)((long)n * of / team);
}

int my_first(int n) { return bound(n, my_number()); }

int my_end(int n) { return bound(n, my_number() + 1); }

struct part my_part(long n) {
  const int me = my_number();
  struct part mine;
  mine.first = bound((int)n, me);
  mine.end = bound((int)n, me + 1);
  return mine;
}

void my_bounds(int n, int *first, int *end) {
  *first = my_first(n);
  *end = my_end(n);
}

void all_bounds(int n, int *first, int *end) {
  *first = 0;
  *end = n;
}

static unsigned states[1024 * 16];

int my_random(int n) {
  unsigned *state = &states[16 * omp_get_thread_num()];
  *state = *state * 1103515245u + 12345u;
  return (int)((*state >> 8) % (unsigned)n);
}
