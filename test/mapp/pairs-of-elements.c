/* One thread that goes over all pairs of elements does more than threads that go over all elements a few times.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#include <stdio.h>
#include <stdlib.h>

/* How many pairs are near. */
static long near(const double *places, int n) {
  long pairs = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      pairs += places[j] - places[i] < 0.5;
  return pairs;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4000;
  // CHECK: c:[[#@LINE+1]]: places: left alone: one thread writes it first, in main()
  double *places = malloc(n * sizeof *places);
  for (int i = 0; i < n; i++)
    places[i] = i * 0.3;
  for (int step = 0; step < 10; step++)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      places[i] += 0.1;
  printf("%ld\n", near(places, n));
  return 0;
}
