/* Two vectors of one allocating function and a static one, all filled by one thread and used by all. */
#include "own.h"

#include <stdio.h>
#include <stdlib.h>

static double weight[COUNT];

int main(int argc, char **argv) {
  double *from = new_vector(COUNT);
  double *to = new_vector(COUNT);
  double sum = 0;
  FILE *file = fopen(argc > 1 ? argv[1] : "", "r");
  double first = 0;
  if (!file || fscanf(file, "%lf", &first) != 1)
    return 1;
  fclose(file);
  for (int i = 0; i < COUNT; i++) {
    from[i] = first + i % 7;
    to[i] = 0;
    weight[i] = i % 3;
  }
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < COUNT; i++)
      to[i] += weight[i] * from[i];
  }
  for (int i = 0; i < COUNT; i += 1000)
    sum += to[i];
  printf("sum %.6f\nthis run took %p\n", sum, (void *)to);
  free(to);
  free(from);
  return 0;
}
