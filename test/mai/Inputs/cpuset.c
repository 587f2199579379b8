/*===-- cpuset.c - says where the pages of a block array are -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { PAGES = 1954, PAGE = 4096, NODES = 4 };

int main(void) {
  struct mai_pages pages;
  size_t per_node[NODES] = {0};
  if (omp_in_parallel()) /* Without an OpenMP run-time, blocks would be those of nodes. */
    return 1;
  char *array = mai_alloc_block(PAGES, PAGE);
  if (!array)
    return 1;
  memset(array, 1, (size_t)PAGES * PAGE);
  if (mai_verify(array, &pages, per_node, NODES) != 0)
    return 1;
  printf("pages");
  for (int i = 0; i < NODES; i++)
    printf(" %zu", per_node[i]);
  printf(", %zu elsewhere\n", pages.spilled);
  return mai_free(array);
}
