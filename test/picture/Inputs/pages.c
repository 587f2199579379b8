/*===-- pages.c - reports arrays, and says what must be seen -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Prints the maps of its arrays' pages, as mai_page_map() gives them, for read_picture.py, and the
 * report, for mai-picture.
 */
#include <mai.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, MOST_PAGES = 20000 };

/* Behind the library's back. */
static void move_page(char *address, int node) {
  void *page = (void *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1));
  int status;
  syscall(SYS_move_pages, 0, 1UL, &page, &node, &status, 2 /* MPOL_MF_MOVE */);
}

static void print_map(const char *name, char *array) {
  static int nodes[MOST_PAGES];
  char *first = (char *)((uintptr_t)array & ~(uintptr_t)(PAGE - 1));
  long count = mai_page_map(array, 0, MOST_PAGES, nodes);
  printf("map %s", name);
  for (long i = 0; i < count; i++) {
    int meant = mai_node_meant(i ? first + i * PAGE : array);
    printf(" %d%s", nodes[i], nodes[i] < 0 || meant == nodes[i] ? "" : "!");
  }
  printf("\n");
}

static char *allocate(size_t pages, const char *policy, const char *name) {
  return mai_alloc(pages, PAGE, policy, name);
}

int main(void) {
  char *rows = allocate(300, "block-cyclic 7", "rows");
  char *skewed = allocate(500, "skew", "skewed");
  char *large = allocate(10000, "random 5", "large");
  char *corner = allocate(9000, "cyclic", "corner");
  if (!rows || !skewed || !large || !corner)
    return 1;
  memset(rows, 1, 200 * PAGE);
  memset(corner, 1, 1001 * PAGE);
  move_page(skewed + 130 * PAGE, mai_where(skewed + 130 * PAGE) ? 0 : 1);
  move_page(large + 7000 * PAGE, mai_where(large + 7000 * PAGE) ? 0 : 1);
  print_map("rows", rows);
  print_map("skewed", skewed);
  print_map("large", large);
  print_map("corner", corner);
  return mai_report(stdout, MAI_REPORT_JSON);
}
