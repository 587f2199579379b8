/*===-- bound-block.c - says where blocks lie after a region ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai.h>
#include <omp.h>

#include "pages.h"

int main(void) {
  char *array = mai_alloc_block(4, 4096);
  if (!array)
    return 1;
  memset(array, 1, 4 * 4096);
#pragma omp parallel num_threads(4)
  __asm__ volatile("" ::: "memory");
  printf("blocks on");
  for (int i = 0; i < 4; i++)
    printf(" %d", node_of_page(array + i * 4096));
  printf("\n");
  return omp_get_level();
}
