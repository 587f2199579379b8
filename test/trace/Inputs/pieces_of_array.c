/* Threads go over an array again and again, by pieces of it. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 19, PIECE = 64, ROUNDS = 600 };

int main(void) {
  double *field = malloc(COUNT * sizeof *field);
  for (int i = 0; i < COUNT; i++)
    field[i] = i;
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(SCHEDULE) num_threads(4)
    for (int piece = 0; piece < COUNT; piece += PIECE)
      for (int i = piece; i < piece + PIECE; i++)
        field[i] = field[i] * 0.5 + 1;
  }
  printf("%g\n", field[COUNT / 2]);
  free(field);
  return 0;
}
