/*===-- policies.c - allocates, touches and looks --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: policies [-h off|transparent|explicit] [-e ELEMENT_BYTES] [-s NODES]
                   EXTENT[xEXTENT...] POLICY...
   For each policy: allocates an array of that shape, has all threads
   touch it, and says where the kernel has its pages, how many are not where MAi means them, and in
   how many mappings.  A policy that cannot be used gives its errno.

   With -s in short: "right: POLICY" where every page is where MAi means it, MAi says so too, and
   there are at most NODES + 1 mappings; else "wrong: POLICY" and why. */
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <stdlib.h>

#include "pages.h"

static unsigned dimensions;
static size_t extents[MAI_MOST_DIMENSIONS];
static size_t element = 8;
static int most_mappings;
static mai_options_t options;

static size_t parse_extents(char *text) {
  size_t elements = 1;
  for (char *word = strtok(text, "x"); word && dimensions < MAI_MOST_DIMENSIONS;
       word = strtok(NULL, "x")) {
    extents[dimensions] = strtoul(word, NULL, 10);
    elements *= extents[dimensions++];
  }
  return elements * element;
}

static void parse_huge(const char *text) {
  options.huge_pages = strcmp(text, "off") == 0           ? MAI_HUGE_OFF
                       : strcmp(text, "transparent") == 0 ? MAI_HUGE_TRANSPARENT
                                                          : MAI_HUGE_EXPLICIT;
}

/* Whole pages of the address space that the array reaches into are its own. */
static size_t count_misplaced(const char *array, size_t bytes, size_t *pages) {
  size_t misplaced = 0;
  const char *page = (const char *)((uintptr_t)array & ~(uintptr_t)4095);
  for (*pages = 0; page < array + bytes; page += 4096, (*pages)++) {
    int meant = mai_node_meant(page < array ? array : page);
    misplaced += meant >= 0 && node_of_page(page) != meant;
  }
  return misplaced;
}

static void look(const char *array, size_t bytes) {
  struct mai_pages pages;
  size_t count;
  size_t misplaced = count_misplaced(array, bytes, &count);
  print_nodes("  nodes", array, bytes < 64 * 4096 ? bytes : 64 * 4096);
  printf("  misplaced: %zu of %zu in %d mappings\n", misplaced, count,
         count_mappings(array, bytes));
  if (mai_verify(array, &pages, NULL, 0) != 0)
    printf("  no verification: %s\n", strerrorname_np(errno));
  else
    printf("  verified: placed %zu spilled %zu untouched %zu failed %zu\n", pages.placed,
           pages.spilled, pages.untouched, pages.failed);
}

static void judge(const char *text, const char *array, size_t bytes) {
  struct mai_pages pages = {0};
  size_t count;
  size_t misplaced = count_misplaced(array, bytes, &count);
  int mappings = count_mappings(array, bytes);
  int verified = mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == pages.total;
  if (misplaced == 0 && mappings <= most_mappings && verified)
    printf("right: %s\n", text);
  else
    printf("wrong: %s: %zu of %zu misplaced in %d mappings, MAi says %zu of %zu placed\n", text,
           misplaced, count, mappings, pages.placed, pages.total);
}

static int show(const char *text, size_t bytes) {
  char error[512];
  if (!most_mappings)
    printf("%s:\n", text);
  if (mai_policy_check(text, error, sizeof error) != 0) {
    printf("  no policy: %s\n", error);
    return 1;
  }
  char *array = mai_alloc_shape(dimensions, extents, element, text, &options, "array");
  if (!array) {
    printf("  no array: %s\n", strerrorname_np(errno));
    return 0;
  }
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < bytes; i += 512)
    array[i] = 1;
  array[bytes - 1] = 1;
  if (most_mappings)
    judge(text, array, bytes);
  else
    look(array, bytes);
  return mai_free(array);
}

int main(int argc, char **argv) {
  int at = 1;
  int failed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (argv[at][1] == 'h')
      parse_huge(argv[at + 1]);
    else if (argv[at][1] == 's')
      most_mappings = 1 + atoi(argv[at + 1]);
    else
      element = strtoul(argv[at + 1], NULL, 10);
  }
  if (at >= argc)
    return 2;
  size_t bytes = parse_extents(argv[at++]);
  for (; at < argc; at++)
    failed |= show(argv[at], bytes);
  return failed;
}
