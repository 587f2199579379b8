/* Says how many threads it has, and ends with the status that it is told. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  printf("%d threads\n", threads);
  return argc > 1 ? atoi(argv[1]) : 0;
}
