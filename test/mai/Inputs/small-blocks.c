/*===-- small-blocks.c - allocates between and within regions ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 20, BYTES = 50000 };

int main(void) {
  int threads = 0, wrong = 0;
  for (int size = 1; size <= omp_get_num_procs(); size++) {
#pragma omp parallel num_threads(size) reduction(+ : threads, wrong)
    for (int i = 0; i < BLOCKS; i++) {
      char *block = malloc(BYTES);
      memset(block, i, BYTES);
      wrong += block[BYTES - 1] != i;
      free(block);
      threads += i == 0;
    }
  }
  printf("%d threads, %d wrong\n", threads, wrong);
  return 0;
}
