// Threads have parts of an array whose lengths are given, such as 12345678; the first thread clears it.
#include <stdlib.h>

enum { UNIT = 4096 };

static size_t units_before(const char *lengths, int thread) {
  size_t units = 0;
  for (int i = 0; i < thread; i++)
    units += (size_t)(lengths[i] - '0');
  return units;
}

int main(int count, char **arguments) {
  const char *lengths = count > 1 ? arguments[1] : "12345678";
  size_t elements = units_before(lengths, 8) * UNIT;
  double *field = malloc(elements * sizeof *field);
  for (size_t i = 0; i < elements; i++)
    field[i] = 0;
#pragma omp parallel for num_threads(8)
  for (int thread = 0; thread < 8; thread++)
    for (int round = 0; round < 8; round++)
      for (size_t i = units_before(lengths, thread) * UNIT;
           i < units_before(lengths, thread + 1) * UNIT; i++)
        field[i] += 1;
  int same = field[0] == field[elements - 1];
  free(field);
  return !same;
}
