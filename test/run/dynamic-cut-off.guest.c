/* A program that ends while its array is being moved: the report says so, how many pages had been moved, and the
   policy to begin with next time.  When the kernel lets threads run, and so what is seen, is chance.

   REQUIRES: guest
   ALLOW_RETRIES: 2
   RUN: %{gcc} -O2 %s -o %t
   RUN: %{guest} --topology 4x1 --balancing off --env OMP_NUM_THREADS=4 --env OMP_WAIT_POLICY=passive \
   RUN:   --env MAI_NEIGHBOURS=0 --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run --file %t \
   RUN:   -- %{build}/bin/mai-run -q -m compact -r - --dynamic %t >%t.out 2>&1
   RUN: FileCheck %s <%t.out
   CHECK: main: {{.*}} moved 1 times, {{.*}}, {{[1-9][0-9]*}} pages in {{.*}} the last move was cut off
   CHECK-SAME: next time: main:block
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 16384, PAGE = 4096, WORDS = PAGE / sizeof(long), ASKED = 64, PASSES = 2000 };

static void pass(long *array) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < (long)PAGES * WORDS; i++)
    array[i] += i;
}

/* The nodes of some pages. */
static void look(long *array, int *nodes) {
  void *pages[ASKED];
  for (int i = 0; i < ASKED; i++)
    pages[i] = array + (long)i * (PAGES / ASKED) * WORDS;
  syscall(SYS_move_pages, 0, (long)ASKED, pages, NULL, nodes, 0);
}

int main(void) {
  long *array = aligned_alloc(PAGE, (size_t)PAGES * PAGE);
  int before[ASKED], now[ASKED];
  for (long i = 0; i < (long)PAGES * WORDS; i++)
    array[i] = i; /* nothing keeps this thread on one node yet */
  look(array, before);
  look(array, now);
  for (int i = 0; i < PASSES && memcmp(before, now, sizeof now) == 0; i++) {
    pass(array);
    look(array, now);
  }
  return 0;
}
