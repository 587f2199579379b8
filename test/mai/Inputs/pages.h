/*===-- pages.h - asks the kernel, not MAi, where pages are ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The node of the page at `address`, or a negative errno. */
static inline int node_of_page(const void *address) {
  void *page = (void *)((uintptr_t)address & ~(uintptr_t)4095);
  int status = -1;
  return syscall(SYS_move_pages, 0, 1UL, &page, NULL, &status, 0) == 0 ? status : -1;
}

/* How many of the first pages of an array, which begins with one, are on the nodes that they belong
   on. */
static inline size_t count_pages_at_home(unsigned char *array, size_t pages,
                                         int (*home_of)(size_t page)) {
  enum { PAGE_BYTES = 4096, AT_A_TIME = 512 };
  size_t home = 0;
  for (size_t first = 0, some; first < pages; first += some) {
    void *addresses[AT_A_TIME];
    int nodes[AT_A_TIME];
    some = pages - first < AT_A_TIME ? pages - first : AT_A_TIME;
    for (size_t i = 0; i < some; i++)
      addresses[i] = array + (first + i) * PAGE_BYTES;
    syscall(SYS_move_pages, 0, some, addresses, NULL, nodes, 0);
    for (size_t i = 0; i < some; i++)
      home += nodes[i] == home_of(first + i);
  }
  return home;
}

/* Prints the nodes of the whole pages of an array as runs "pages*node". */
static inline void print_nodes(const char *what, const void *array, size_t bytes) {
  uintptr_t page = ((uintptr_t)array + 4095) / 4096;
  uintptr_t end = ((uintptr_t)array + bytes) / 4096;
  printf("%s:", what);
  while (page < end) {
    int node = node_of_page((void *)(page * 4096));
    unsigned long count = 0;
    while (page < end && node_of_page((void *)(page * 4096)) == node) {
      count++;
      page++;
    }
    printf(" %lu*%d", count, node);
  }
  printf("\n");
}

/* How many mappings the kernel keeps for an array. */
static inline int count_mappings(const void *array, size_t bytes) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  int count = 0;
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long begin, end;
    if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin < (uintptr_t)array + bytes &&
        end > (uintptr_t)array)
      count++;
  }
  if (maps)
    fclose(maps);
  return count;
}
