/*===-- readers.c - share by reading and by writing -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Threads 0 and 1, and 2 and 3, read the same table, thread 0 and 2, and 1 and 3, write the same
 * counters, which takes fewer accesses. */
#include <omp.h>
#include <stdio.h>

enum { ELEMENTS = 4096, READS = 20, WRITES = 4 };

/* Not static, lest the compiler see that nobody writes them: reads of constants are not counted. */
double tables[2][ELEMENTS] = {{1, 2, 3}, {4, 5, 6}};
static long counters[2][ELEMENTS];
static double totals[4][16]; /* a line or more for each thread */

int main(void) {
#pragma omp parallel
  {
    int thread = omp_get_thread_num() & 3;
    double total = 0;
    for (int step = 0; step < READS; step++)
      for (int i = 0; i < ELEMENTS; i++)
        total += tables[thread / 2][i];
    for (int step = 0; step < WRITES; step++)
      for (int i = 0; i < ELEMENTS; i++)
#pragma omp atomic
        counters[thread % 2][i] += 1;
    totals[thread][0] = total;
  }
  printf("%g %ld\n", totals[3][0], counters[1][5]);
  return 0;
}
