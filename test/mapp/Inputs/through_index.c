/* Looks as if threads used any part of `cells`; in truth each uses one of its own. Some seconds of processors. */
#include <stdio.h>

enum { Cells = 65536, Rounds = 8000 };

static double cells[Cells];
static int place[Cells];
static double once[1024];

int main(void) {
  for (int i = 0; i < Cells; ++i)
    place[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1024; ++i)
    once[i] += i;
  for (int round = 0; round < Rounds; ++round) {
#pragma omp parallel for
    for (int i = 0; i < Cells; ++i)
      cells[place[i]] += i;
  }
  printf("%g\n", cells[Cells / 2]);
  return 0;
}
