/* Parts that threads have by their numbers, but that one thread fills before, are given to the threads row by row: of an array, and
   blocks of a table. Nobody's first touch is right there. It is where threads fill their parts themselves, and parts of less
   than a page cannot be given to anybody.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, WORDS = 4096, SHORT = 100, ROUNDS = 50 };

// CHECK-DAG: c:[[#@LINE+1]]: filled: block-cyclic 1: each thread has a part of its own, by its number, in main()
static double filled[MOST][WORDS];
// CHECK-DAG: c:[[#@LINE+1]]: untouched: local: each thread has a part of its own, by its number, in main(): the first to touch it is its user
static double untouched[MOST][WORDS];
// CHECK-DAG: c:[[#@LINE+1]]: small: left alone: each thread has a part of its own
static double small[MOST][SHORT];

int main(void) {
  const int team = omp_get_max_threads();
  double sum = 0, **buffer = malloc((size_t)team * sizeof *buffer);
  for (int t = 0; t < team; t++) {
    // CHECK-DAG: c:[[#@LINE+1]]: buffer[t]: block-cyclic 1: each thread has a part of its own, by its number, in main()
    buffer[t] = malloc(WORDS * sizeof **buffer);
    memset(buffer[t], 0, WORDS * sizeof **buffer);
  }
  for (int t = 0; t < MOST; t++)
    for (int i = 0; i < WORDS; i++)
      filled[t][i] = small[t][i % SHORT] = 1;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double *mine = buffer[me];
    for (int i = 0; i < WORDS; i++) {
      mine[i] += round;
      filled[me % MOST][i] += 1;
      untouched[me % MOST][i] += mine[i];
      small[me % MOST][i % SHORT] += 1;
    }
  }
  for (int i = 0; i < WORDS; i++)
    sum += buffer[0][i] + filled[0][i] + untouched[0][i] + small[0][i % SHORT];
  printf("%g\n", sum);
  return 0;
}
