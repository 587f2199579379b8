// In each round threads use one half of an array that is allocated for it; with an argument the second one.
#include <stdlib.h>

enum { ELEMENTS = 1 << 16, ROUNDS = 8 };

int main(int count, char **arguments) {
  (void)arguments;
  int begin = count > 1 ? ELEMENTS / 2 : 0;
  int same = 1;
  for (int round = 0; round < ROUNDS; round++) {
    double *scratch = malloc(ELEMENTS * sizeof *scratch);
#pragma omp parallel for
    for (int i = begin; i < begin + ELEMENTS / 2; i++)
      scratch[i] = round;
#pragma omp parallel for reduction(&& : same)
    for (int i = begin; i < begin + ELEMENTS / 2; i++)
      same = same && scratch[i] == round;
    free(scratch);
  }
  return !same;
}
