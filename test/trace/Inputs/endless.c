/* Runs until a signal ends it, and says when it begins. */
#include <stdio.h>

enum { N = 1 << 20 };

static double array[N];

int main(void) {
  for (;;) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++)
      ((volatile double *)array)[i] += 1;
    putchar('.');
    fflush(stdout);
  }
}
