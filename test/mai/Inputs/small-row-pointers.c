/*===-- small-row-pointers.c - a matrix with few rows ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* The second half of the rows is three times as long as the first. */
#include <mai_static.h>
#include <omp.h>
#include <stdlib.h>

#include "pages.h"

enum { ROWS = 4096, SHORT = 20, ELEMENTS = ROWS / 2 * 4 * SHORT };

int main(void) {
  printf("threads: %d\n", omp_get_max_threads());
  int *start = MAI_PLACED(start, malloc(MAI_BYTES((ROWS + 1) * sizeof *start)), sizeof *start,
                          "block", 0, 0, MAI_LEAST_ROW_POINTERS);
  double *value = MAI_PLACED(value, malloc(MAI_BYTES(ELEMENTS * sizeof *value)), sizeof *value,
                             "block along start");
  if (!start || !value)
    return 1;
  for (int row = 0, next = 0; row <= ROWS; row++) {
    start[row] = next;
    next += row < ROWS / 2 ? SHORT : 3 * SHORT;
  }
  for (int i = 0; i < ELEMENTS; i++)
    value[i] = i;
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  print_nodes("value", value, ELEMENTS * sizeof *value);
  free(value);
  free(start);
  return 0;
}
