#include "own.h"

#include <stdlib.h>

double *new_vector(int count) {
  double *vector = malloc((unsigned)count * sizeof(double));
  if (!vector)
    abort();
  return vector;
}
