/* Looks as if threads used any part of `cells`; in truth each uses one of its own. The argument says how
   often: 8000 rounds are a second of processors. */
#include <stdio.h>
#include <stdlib.h>

enum { Cells = 65536 };

static double cells[Cells];
static int place[Cells];
static double once[1024];

int main(int count, char **arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 8000;
  for (int i = 0; i < Cells; ++i)
    place[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1024; ++i)
    once[i] += i;
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel for
    for (int i = 0; i < Cells; ++i)
      cells[place[i]] += i;
  }
  printf("%g\n", cells[Cells / 2]);
  return 0;
}
