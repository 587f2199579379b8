// One place allocates three fields: threads use the first one in order, and the others backwards.
#include <stdlib.h>

enum { MOST_FIELDS = 8, ELEMENTS = 1 << 16, ROUNDS = 20 };

int main(int count, char **arguments) {
  (void)arguments;
  int fields = count + 2; // three, which compilers do not know
  double *field[MOST_FIELDS];
  for (int k = 0; k < fields; k++)
    field[k] = malloc(ELEMENTS * sizeof *field[k]);
  for (int k = 0; k < fields; k++)
    for (int i = 0; i < ELEMENTS; i++)
      field[k][i] = 0;
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for
    for (int i = 0; i < ELEMENTS; i++)
      field[0][i] += 1;
    if (round % 4 == 0)
      continue;
#pragma omp parallel for
    for (int i = 0; i < ELEMENTS; i++) {
      field[1][ELEMENTS - 1 - i] += 1;
      field[2][ELEMENTS - 1 - i] += 1;
    }
  }
  double sum = field[0][0] + field[1][0] + field[2][0];
  for (int k = 0; k < fields; k++)
    free(field[k]);
  return sum != ROUNDS + 2 * (ROUNDS * 3 / 4);
}
