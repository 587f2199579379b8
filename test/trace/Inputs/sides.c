// Threads have their parts of each row of a matrix, and of each of many fields in one block; all is filled by one thread.
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 256, FIELDS = 96, CELLS = 2048, STEPS = 8 };

static double sum(const double *of, long rows, long length) {
  double all = 0;
#pragma omp parallel for reduction(+ : all)
  for (long j = 0; j < length; j++)
    for (long i = 0; i < rows; i++)
      all += of[i * length + j];
  return all;
}

int main(void) {
  double *square = malloc(sizeof(double) * SIDE * SIDE);
  double *fields = malloc(sizeof(double) * FIELDS * CELLS);
  for (long i = 0; i < SIDE * SIDE; i++)
    square[i] = (double)i;
  for (long i = 0; i < FIELDS * CELLS; i++)
    fields[i] = (double)i;
  double all = 0;
  for (int step = 0; step < STEPS; step++)
    all += sum(square, SIDE, SIDE) + sum(fields, FIELDS, CELLS);
  printf("%g\n", all);
  free(square);
  free(fields);
}
