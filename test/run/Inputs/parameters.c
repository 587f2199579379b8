/* Arrays that functions have as parameters, by names of theirs and by one that says nothing. */
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 1 << 15 };

__attribute__((noinline)) static void clear(double *buffer) {
#pragma omp parallel for
  for (int i = 0; i < NUMBERS; i++)
    buffer[i] = 0;
}

__attribute__((noinline)) static void advance(double *density, double *energy, double *pressure) {
#pragma omp parallel for
  for (int i = 0; i < NUMBERS; i++) {
    density[i] += 1;
    energy[i] += density[i];
    pressure[i] = density[i] * energy[i];
  }
}

static double *make(void) {
  double *block = malloc(NUMBERS * sizeof *block);
  return block ? block : (exit(1), block);
}

int main(void) {
  double *fields[3];
  fields[0] = make();
  fields[1] = make();
  fields[2] = make();
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < 3; i++)
      clear(fields[i]);
    advance(fields[0], fields[1], fields[2]);
  }
  printf("%g\n", fields[2][NUMBERS - 1]);
  return 0;
}
