/* Arrays that a program has carved out of one block are told apart, and each thread's parts of all of them come to it.  How soon
   the threads of a guest wake is chance.

   REQUIRES: guest
   ALLOW_RETRIES: 2
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %{guest} --topology 4x1 --env OMP_NUM_THREADS=4 --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run --file %t \
   RUN:   -- %{build}/bin/mai-run -q -m compact --dynamic %t | FileCheck %s
   CHECK: right, at home
*/
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mai/Inputs/pages.h"

enum { PAGE = 4096, ARRAYS = 3, NODES = 4, MOST_PASSES = 20000, BETWEEN_LOOKS = 20 };
static const size_t lengths[ARRAYS] = {700, 300, 500};

static void add(unsigned char *array, size_t pages) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < pages * PAGE; i++)
    array[i]++;
}

/* Each node has a quarter of each array. */
static int home_of(size_t page) {
  int array = 0;
  for (; page >= lengths[array]; array++)
    page -= lengths[array];
  return (int)(page * NODES / lengths[array]);
}

int main(void) {
  const size_t all = lengths[0] + lengths[1] + lengths[2];
  unsigned char *block = aligned_alloc(PAGE, all * PAGE);
  unsigned passes = 0;
  bool home = false, right = true;
  memset(block, 0, all * PAGE);
  for (; passes < MOST_PASSES && !home; passes++) {
    unsigned char *array = block;
    for (int i = 0; i < ARRAYS; array += lengths[i++] * PAGE)
      add(array, lengths[i]);
    home = passes % BETWEEN_LOOKS == 0 && count_pages_at_home(block, all, home_of) > all * 8 / 10;
  }
  for (size_t i = 0; i < all * PAGE; i++)
    right = right && block[i] == passes % 256;
  printf("%s, %s\n", right ? "right" : "wrong", home ? "at home" : "elsewhere");
  return 0;
}
