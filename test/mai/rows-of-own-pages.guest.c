/* Blocks of the threads that are shorter than a page, or as short as some pages, allocated one behind the other, get pages of their
   own, each on its thread's node.

   REQUIRES: guest
   UNSUPPORTED: sanitizer
   RUN: %{gcc} %s -o %t.out %{mai}
   RUN: %{guest} --topology 4x2 --balancing off --env OMP_WAIT_POLICY=passive -- %t.out | FileCheck %s
   CHECK: on their threads' nodes: 8 of 8, apart: 7 of 7
*/
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, UNIT = 8, PAGE = 4096 };

static size_t bytes_of(int thread) { return thread < THREADS / 2 ? 1000 : 9000; }

static uintptr_t page_of(const char *at) { return (uintptr_t)at / PAGE; }

int main(void) {
  char *counts[THREADS];
  int right = 0, apart = 0, team = 0;
  for (int t = 0; t < THREADS; t++) {
    counts[t] = MAI_PLACED_ROW(
        counts[t],
        t % 2 ? calloc(MAI_OWN_PAGES_OF(UNIT, bytes_of(t) / UNIT), MAI_BYTES(UNIT))
              : malloc(MAI_OWN_PAGES(bytes_of(t))),
        (unsigned long)t, (unsigned long)THREADS, "block-cyclic 1", 0, 0, MAI_LEAST_OF_OWN_PAGES);
    memset(counts[t], 0, bytes_of(t));
    apart += t > 0 && page_of(counts[t]) != page_of(counts[t - 1] + bytes_of(t - 1) - 1);
  }
#pragma omp parallel num_threads(THREADS) reduction(+ : team)
  team += omp_get_num_threads() == THREADS;
  for (int t = 0; t < THREADS; t++)
    right += mai_where(counts[t]) == t / 2 && mai_where(counts[t] + bytes_of(t) - 1) == t / 2;
  printf("on their threads' nodes: %d of %d, apart: %d of %d\n", team ? right : 0, THREADS, apart,
         THREADS - 1);
  return 0;
}
