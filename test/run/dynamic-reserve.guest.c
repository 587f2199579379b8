/* Of an array that is made for more than there is the parts of threads are known to the page: nearly all come home, though few
   touches are seen.  How soon the threads of a guest wake is chance.

   REQUIRES: guest
   ALLOW_RETRIES: 2
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %{guest} --topology 4x1 --thp never --env OMP_NUM_THREADS=4 --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run \
   RUN:   --file %t -- %{build}/bin/mai-run -q -m compact --dynamic %t | FileCheck %s
   CHECK: right, at home
*/
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mai/Inputs/pages.h"

#ifndef PAGES
#define PAGES 4000
#endif

enum { PAGE = 4096, MADE_FOR = PAGES * 3 / 2, THREADS = 4, MOST_PASSES = 2000 + 400000 / PAGES };

static unsigned char block[(size_t)MADE_FOR * PAGE] __attribute__((aligned(PAGE)));

static void add(void) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < (size_t)PAGES * PAGE; i++)
    block[i]++;
}

static int home_of(size_t page) { return (int)(page * THREADS / PAGES); }

int main(void) {
  unsigned passes = 0;
  bool home = false, right = true;
  memset(block, 0, (size_t)PAGES * PAGE);
  for (; passes < MOST_PASSES && !home; passes++) {
    add();
    home = passes % 20 == 0 && count_pages_at_home(block, PAGES, home_of) > PAGES * 995 / 1000;
  }
  for (size_t i = 0; i < (size_t)PAGES * PAGE; i++)
    right = right && block[i] == passes % 256;
  printf("%s, %s\n", right ? "right" : "wrong", home ? "at home" : "elsewhere");
  return 0;
}
