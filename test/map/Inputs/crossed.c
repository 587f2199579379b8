/*===-- crossed.c - threads i and i + 2 share --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <omp.h>
#include <stdio.h>

enum { ELEMENTS = 4096, STEPS = 10 };

static double sums[ELEMENTS];

int main(void) {
#pragma omp parallel
  {
    int part = omp_get_thread_num() & 1;
    for (int step = 0; step < STEPS; step++)
      for (int i = 0; i < ELEMENTS / 2; i++)
#pragma omp atomic
        sums[part * ELEMENTS / 2 + i] += 1;
  }
  printf("%g\n", sums[5]);
  return 0;
}
