/*===-- filled.c - arrays that are larger than what is used of them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* One thread fills arrays to different degrees; teams start before and after. */
#include <mai.h>
#include <mai_static.h>
#include <omp.h>

#include "pages.h"

enum { PAGES = 80, ROW = 8, ROWS = PAGES * 4096 / ROW };

#define ALIGNED __attribute__((aligned(2 << 20)))

static double most[ROWS] ALIGNED;  /* 60 of 80 pages */
static double least[ROWS] ALIGNED; /* 20 of 80 pages */
static double late[ROWS] ALIGNED;  /* 40 of 80 pages, while threads are there already */
static double *heap;               /* 60 of 80 pages */
static double none[ROWS] ALIGNED;

MAI_STATIC(most, "block filled");
MAI_STATIC(least, "block filled");
MAI_STATIC(late, "block filled");
MAI_STATIC(none, "block filled");
MAI_HEAP(heap, sizeof(double[ROWS]), "block filled");

static void fill(double *array, int pages) {
  for (int i = 0; i < ROWS * pages / PAGES; i++)
    array[i] = i + 1;
}

static int count_wrong(const double *array, int pages) {
  int wrong = 0;
  for (int i = 0; i < ROWS; i++)
    wrong += array[i] != (i < ROWS * pages / PAGES ? i + 1 : 0);
  return wrong;
}

static void run_team(void) {
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
}

int main(void) {
  printf("threads: %d\n", omp_get_max_threads());
  fill(most, 60);
  fill(least, 20);
  fill(heap, 60);
  run_team();
  print_nodes("most", most, sizeof most * 60 / 80);
  print_nodes("least", least, sizeof least * 20 / 80);
  print_nodes("heap", heap, sizeof most * 60 / 80);

  fill(late, 40);
  run_team();
  print_nodes("late", late, sizeof late * 40 / 80);
  fill(late, 80);
  run_team();
  print_nodes("once", late, sizeof late * 40 / 80);

  print_nodes("none", none, sizeof none);
  for (int team = 0; team < 16; team++)
    run_team();
  fill(none, 80);
  print_nodes("given up", none, sizeof none);

  int wrong = count_wrong(most, 60) + count_wrong(least, 20) + count_wrong(heap, 60) +
              count_wrong(late, 80) + count_wrong(none, 80);
  printf("contents lost: %d\n", wrong);
  return 0;
}
