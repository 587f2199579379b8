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
