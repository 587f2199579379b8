/* Threads that share each huge page, page by page in turn, are told apart, and their pages come to them.  How soon the threads
   of a guest wake is chance.

   REQUIRES: guest
   ALLOW_RETRIES: 2
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %{guest} --topology 2x1 --env OMP_NUM_THREADS=2 --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run --file %t \
   RUN:   -- %{build}/bin/mai-run -q -m compact --dynamic %t | FileCheck %s
   CHECK: in huge pages
   CHECK-NEXT: right, at home
*/
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mai/Inputs/pages.h"

enum { PAGE = 4096, PAGES = 2048, THREADS = 2, MOST_PASSES = 20000, BETWEEN_LOOKS = 20 };

static void add(unsigned char *block) {
#pragma omp parallel
  for (size_t page = (size_t)omp_get_thread_num(); page < PAGES; page += THREADS)
    for (size_t i = 0; i < PAGE; i++)
      block[page * PAGE + i]++;
}

/* Each second page belongs on the second node. */
static int home_of(size_t page) { return (int)(page % THREADS); }

static bool has_huge_pages(void) {
  char line[256];
  long size = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file))
    sscanf(line, "AnonHugePages: %ld", &size);
  if (file)
    fclose(file);
  return size > 0;
}

int main(void) {
  unsigned char *block = aligned_alloc(PAGE, PAGES * PAGE);
  unsigned passes = 0;
  bool home = false, right = true;
  memset(block, 0, PAGES * PAGE);
  printf("in %s pages\n", has_huge_pages() ? "huge" : "small");
  for (; passes < MOST_PASSES && !home; passes++) {
    add(block);
    home =
        passes % BETWEEN_LOOKS == 0 && count_pages_at_home(block, PAGES, home_of) > PAGES * 9 / 10;
  }
  for (size_t i = 0; i < PAGES * PAGE; i++)
    right = right && block[i] == passes % 256;
  printf("%s, %s\n", right ? "right" : "wrong", home ? "at home" : "elsewhere");
  return 0;
}
