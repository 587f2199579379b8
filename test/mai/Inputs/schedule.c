/*===-- schedule.c - says which thread ran each iteration of many loops *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Prints a line "threads chunk backwards units first count owner owner ..." for each loop over
   [first, first + count) of `units`; chunk 0 is schedule(static), another schedule(static, chunk). */
#include <omp.h>
#include <stdio.h>

enum { MOST = 1000 };

static int owners[MOST];

static void run(int threads, int chunk, int first, int count) {
  int end = first + count;
  if (chunk == 0) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = first; i < end; i++)
      owners[i] = omp_get_thread_num();
  } else {
#pragma omp parallel for schedule(static, chunk) num_threads(threads)
    for (int i = first; i < end; i++)
      owners[i] = omp_get_thread_num();
  }
}

static void run_backwards(int threads, int chunk, int first, int count) {
  int last = first + count - 1;
  if (chunk == 0) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = last; i >= first; i--)
      owners[i] = omp_get_thread_num();
  } else {
#pragma omp parallel for schedule(static, chunk) num_threads(threads)
    for (int i = last; i >= first; i--)
      owners[i] = omp_get_thread_num();
  }
}

static void print(int threads, int chunk, int backwards, int units, int first, int count) {
  printf("%d %d %d %d %d %d", threads, chunk, backwards, units, first, count);
  for (int i = first; i < first + count; i++)
    printf(" %d", owners[i]);
  printf("\n");
}

static void show(int threads, int chunk, int units, int first, int count) {
  run(threads, chunk, first, count);
  print(threads, chunk, 0, units, first, count);
  run_backwards(threads, chunk, first, count);
  print(threads, chunk, 1, units, first, count);
}

int main(void) {
  static const int teams[] = {1, 2, 3, 5, 8, 13};
  static const int chunks[] = {0, 1, 2, 3, 7, 64};
  static const int counts[] = {1, 2, 3, 7, 8, 12, 13, 14, 31, 64, 100, 127, 500, 997};
  omp_set_dynamic(0);
  for (int t = 0; t < 6; t++)
    for (int c = 0; c < 6; c++)
      for (int n = 0; n < 14; n++) {
        show(teams[t], chunks[c], counts[n], 0, counts[n]);
        if (counts[n] > 4)
          show(teams[t], chunks[c], counts[n], 2, counts[n] - 3);
      }
}
