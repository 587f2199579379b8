/*===-- allocate.c - allocates one array, touches it, and asks the kernel about it *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: allocate bind:NODE|block|block:FIRST:COUNT|cyclic [strict] COUNT SIZE
   Prints what the kernel knows and whether MAi says the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <stdlib.h>

#include "pages.h"

static mai_policy_t parse_policy(const char *text) {
  mai_policy_t policy = {0};
  unsigned node;
  unsigned long first, count;
  if (sscanf(text, "bind:%u", &node) == 1)
    policy = (mai_policy_t)MAI_BIND(node);
  else if (sscanf(text, "block:%lu:%lu", &first, &count) == 2)
    policy = (mai_policy_t)MAI_BLOCK_RANGE(first, count);
  else if (strcmp(text, "block") == 0)
    policy = (mai_policy_t)MAI_BLOCK;
  else if (strcmp(text, "cyclic") == 0)
    policy = (mai_policy_t)MAI_CYCLIC;
  else if (strcmp(text, "cyclic-threads") == 0)
    policy = (mai_policy_t)MAI_CYCLIC_OVER_THREADS;
  return policy;
}

static size_t count_misplaced(const char *array, size_t bytes) {
  size_t misplaced = 0;
  for (size_t offset = 0; offset < bytes; offset += 4096)
    misplaced += node_of_page(array + offset) != mai_node_meant(array + offset);
  return misplaced;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  mai_policy_t policy = parse_policy(argv[1]);
  if (argc > 4 && strcmp(argv[2], "strict") == 0)
    policy.flags |= MAI_STRICT;
  size_t count = strtoul(argv[argc - 2], NULL, 0);
  size_t size = strtoul(argv[argc - 1], NULL, 0);
  char *array = mai_alloc(count, size, &policy, "array");
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
