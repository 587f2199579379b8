/*===-- tsan-program.c - many threads use MAi at once -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai.h>
#include <stdio.h>

enum { ROWS = 64, ROUNDS = 5 };

int main(void) {
  double(*rows)[512] = mai_alloc_block(ROWS, sizeof *rows);
  double sum = 0;
  int failures = 0;
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < ROWS; i++) {
      rows[i][0] += i;
      sum += rows[i][0];
    }
#pragma omp parallel reduction(+ : failures)
    {
      void *own = mai_alloc_cyclic(4, 4096);
      failures += !own || mai_where(rows) < 0 || mai_free(own) != 0;
    }
  }
  printf("sum %g failures %d\n", sum, failures);
  return mai_free(rows);
}
