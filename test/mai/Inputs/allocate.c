/*===-- allocate.c - allocates one array, touches it, and asks the kernel about it *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: allocate POLICY COUNT SIZE
   Prints what the kernel knows and whether MAi says the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <stdlib.h>

#include "pages.h"

static size_t count_misplaced(const char *array, size_t bytes) {
  size_t misplaced = 0;
  for (size_t offset = 0; offset < bytes; offset += 4096)
    misplaced += node_of_page(array + offset) != mai_node_meant(array + offset);
  return misplaced;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  size_t count = strtoul(argv[2], NULL, 0);
  size_t size = strtoul(argv[3], NULL, 0);
  char *array = mai_alloc(count, size, argv[1], "array");
  if (!array) {
    printf("no array: %s\n", strerrorname_np(errno));
    return 1;
  }
  size_t bytes = count * size;
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < bytes; i += 4096)
    array[i] = 1;
  print_nodes("nodes", array, bytes < 64 * 4096 ? bytes : 64 * 4096);
  printf("misplaced: %zu of %zu\n", count_misplaced(array, bytes), (bytes + 4095) / 4096);
  printf("mappings: %d\n", count_mappings(array, bytes));
  struct mai_pages pages;
  if (mai_verify(array, &pages, NULL, 0) != 0)
    printf("no verification: %s\n", strerrorname_np(errno));
  else
    printf("verified: placed %zu spilled %zu untouched %zu failed %zu\n", pages.placed,
           pages.spilled, pages.untouched, pages.failed);
  return mai_free(array);
}
