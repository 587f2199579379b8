/* A program that MAi reports on. */
#include <mai.h>
#include <omp.h>
#include <stdlib.h>

int main(void) {
  double *values = mai_alloc_block(100000, sizeof *values);
  if (!values)
    return EXIT_FAILURE;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 100000; i++)
    values[i] = i;
  return values[99999] > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
