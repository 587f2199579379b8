/* The library allocates for the program, as much as it sorts. */
#include <stdlib.h>

enum { COUNT = 1000000 };

static int compare(const void *a, const void *b) {
  const double *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

int main(void) {
  double *values = malloc(COUNT * sizeof *values);
  for (long i = 0; i < COUNT; i++)
    values[i] = rand();
  qsort(values, COUNT, sizeof *values, compare); /* here */
  return values[0] > values[COUNT - 1];
}
