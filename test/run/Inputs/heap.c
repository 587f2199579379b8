/*===-- heap.c - a program that knows nothing of MAi ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Fills a static array and blocks of each kind of allocation, grows one and frees all; prints a sum
   that does not depend on where they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 300000 };

double table[COUNT];

static double *zeroed(void) { return calloc(COUNT, sizeof(double)); }

static double *aligned(void) {
  void *block = NULL;
  return posix_memalign(&block, 4096, COUNT * sizeof(double)) == 0 ? block : NULL;
}

int main(void) {
  double *grown = malloc(COUNT / 2 * sizeof *grown);
  double *blocks[] = {zeroed(), aligned(), aligned_alloc(64, COUNT * sizeof(double))};
  double sum = 0;
  for (int i = 0; i < COUNT / 2; i++)
    grown[i] = i;
  grown = realloc(grown, COUNT * sizeof *grown);
  memset(grown + COUNT / 2, 0, COUNT / 2 * sizeof *grown);
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < COUNT; i++) {
    table[i] = i % 7;
    for (int b = 0; b < 3; b++)
      blocks[b][i] = (b ? 0 : blocks[b][i]) + b;
    sum += table[i] + blocks[0][i] + blocks[1][i] + blocks[2][i] + grown[i];
  }
  printf("sum %.0f\n", sum);
  for (int b = 0; b < 3; b++)
    free(blocks[b]);
  free(grown);
  return 0;
}
