/*===-- blocks.c - an array of a block a thread ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Prints where the kernel has the array's pages and the threads, then MAi's report as JSON. */
#define _GNU_SOURCE
#include <mai.h>
#include <omp.h>
#include <sched.h>

#include "pages.h"

enum { PAGES = 64, PAGE = 4096 };

int main(void) {
  const char *block = "block";
  char *array = mai_alloc(PAGES, PAGE, block, "array");
  if (!array)
    return 1;
  int cpus[64] = {0};
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    cpus[thread] = sched_getcpu();
#pragma omp for schedule(static)
    for (int page = 0; page < PAGES; page++)
      array[page * PAGE] = 1;
  }
  print_nodes("nodes", array, (size_t)PAGES * PAGE);
  printf("cpus:");
  for (int thread = 0; thread < omp_get_max_threads(); thread++)
    printf(" %d", cpus[thread]);
  printf("\n");
  return mai_report(stdout, MAI_REPORT_JSON) == 0 ? 0 : 1;
}
