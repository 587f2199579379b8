/*===-- rows.c - sparse matrices whose rows differ much in length -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Row i has i elements, as in a triangle: with even shares most pages would be on wrong nodes.  Which
 * node is right is asked of the threads themselves.
 */
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdlib.h>

#include "pages.h"

enum { ROWS = 1024, ELEMENTS = ROWS * (ROWS - 1) / 2, WORST = 2 * ELEMENTS, MOST_THREADS = 64 };

#define ALIGNED __attribute__((aligned(4096)))

static int start[ROWS + 1], bad_start[ROWS + 1];
static long late_start[ROWS + 1];
static double filled[WORST] ALIGNED, late[WORST] ALIGNED, bad[ELEMENTS] ALIGNED;
static double whole[ELEMENTS] ALIGNED, part[ELEMENTS] ALIGNED, nameless[ELEMENTS] ALIGNED;
static double blocks[ELEMENTS][9] ALIGNED, flat[4 * ELEMENTS] ALIGNED;

MAI_STATIC(start, "block");
MAI_STATIC(late_start, "block");
MAI_STATIC(bad_start, "block");
MAI_STATIC(filled, "block along start filled");
MAI_STATIC(whole, "block along start", 0, ROWS);
MAI_STATIC(late, "block along late_start filled");
MAI_STATIC(part, "block along start", ROWS / 2, ROWS / 2);
MAI_STATIC(blocks, "block along start");
MAI_STATIC(flat, "block along 4*start");
MAI_STATIC(bad, "block along bad_start");
MAI_STATIC(nameless, "block along there_is_none filled");

static int node_of_thread[MOST_THREADS];

static void find_threads(void) {
#pragma omp parallel
  {
    unsigned cpu = 0, node = 0;
    if (syscall(SYS_getcpu, &cpu, &node, NULL) == 0)
      node_of_thread[omp_get_thread_num()] = (int)node;
  }
}

/* Of the whole pages that hold elements of the rows [first, first + count): how many are not with
   the thread to whose rows the element in their middle belongs. */
static void print_wrong(const char *what, const void *array, size_t bytes, int first, int count) {
  uintptr_t base = (uintptr_t)array;
  uintptr_t last = (base + bytes * ELEMENTS) / 4096;
  int threads = omp_get_max_threads();
  int pages = 0;
  int wrong = 0;
  for (int thread = 0, row = first; thread < threads; thread++) {
    uintptr_t page = (base + bytes * (size_t)start[row] + 2047) / 4096;
    row += count / threads + (thread < count % threads);
    uintptr_t end = (base + bytes * (size_t)start[row] + 2047) / 4096;
    for (; page < end && page<last; page++, pages += page> base / 4096)
      wrong += page * 4096 >= base && node_of_page((void *)(page * 4096)) != node_of_thread[thread];
  }
  printf("%s: %d threads, %s\n", what, threads,
         wrong == 0          ? "all right"
         : wrong > pages / 4 ? "many wrong"
                             : "some wrong");
}

static void fill(double *array, size_t count) {
  for (size_t i = 0; i < count; i++)
    array[i] = (double)i + 1;
}

static long lost(const double *array, size_t count) {
  long wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += array[i] != (double)i + 1;
  return wrong;
}

/* A block of less than 64 KiB would not be placed, and not be known. */
static double *allocate(size_t **pointers) {
  size_t count = ELEMENTS;
  *pointers = MAI_PLACED(row_of, calloc(MAI_COUNT(16 * ROWS), MAI_BYTES(sizeof **pointers)),
                         sizeof **pointers, "block");
  return MAI_PLACED(values, malloc(MAI_BYTES(count * sizeof(double))), sizeof(double),
                    "block along row_of", 0, ROWS);
}

int main(void) {
  size_t *row_of;
  double *values = allocate(&row_of);
  fill(filled, ELEMENTS);
  fill(whole, ELEMENTS);
  fill(late, ELEMENTS);
  fill(part, ELEMENTS);
  fill(&blocks[0][0], 9 * ELEMENTS);
  fill(bad, ELEMENTS);
  fill(nameless, ELEMENTS);
  fill(flat, 4 * ELEMENTS);
  fill(values, ELEMENTS);
  for (int i = 0; i < ROWS; i++) {
    start[i + 1] = start[i] + i;
    bad_start[i] = i % 2 ? ELEMENTS : 0;
    row_of[i + 1] = (size_t)start[i + 1];
  }
  find_threads();
  print_wrong("filled", filled, sizeof *filled, 0, ROWS);
  print_wrong("whole", whole, sizeof *whole, 0, ROWS);
  print_wrong("part", part, sizeof *part, ROWS / 2, ROWS / 2);
  print_wrong("blocks", blocks, sizeof *blocks, 0, ROWS);
  print_wrong("flat", flat, 4 * sizeof *flat, 0, ROWS);
  print_wrong("heap", values, sizeof *values, 0, ROWS);
  print_wrong("late, before", late, sizeof *late, 0, ROWS);
  for (int i = 0; i <= ROWS; i++)
    late_start[i] = start[i];
  find_threads();
  print_wrong("late", late, sizeof *late, 0, ROWS);

  for (int team = 0; team < 16; team++)
    find_threads();
  print_wrong("bad", bad, sizeof *bad, 0, ROWS);
  print_wrong("nameless", nameless, sizeof *nameless, 0, ROWS);

  omp_set_num_threads(3);
  find_threads();
  print_wrong("another team", filled, sizeof *filled, 0, ROWS);
  printf("contents lost: %ld\n",
         lost(filled, ELEMENTS) + lost(whole, ELEMENTS) + lost(late, ELEMENTS) +
             lost(part, ELEMENTS) + lost(&blocks[0][0], 9 * ELEMENTS) + lost(bad, ELEMENTS) +
             lost(nameless, ELEMENTS) + lost(flat, 4 * ELEMENTS) + lost(values, ELEMENTS));
  free(values);
  free(row_of);
  return 0;
}
