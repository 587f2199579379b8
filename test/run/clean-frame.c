/* What main() finds in its own frame is nothing of ours: no text that has gone through a register either.
   RUN: %{gcc} -Wno-uninitialized -Wno-maybe-uninitialized %s -o %t
   RUN: env HWLOC_SYNTHETIC='node:2 pu:1' %{build}/bin/mai-run %t 2> %t.messages | FileCheck %s
   RUN: grep 'threads are not pinned' %t.messages
   CHECK: words of text: 0
*/
#include <ctype.h>
#include <omp.h>
#include <stdio.h>

enum { WORDS = 400 };

static int is_text(unsigned long word) {
  for (unsigned i = 0; i < sizeof word; i++)
    if (!isprint((int)(word >> 8 * i & 0xff)))
      return 0;
  return 1;
}

int main(void) {
  unsigned long unset[WORDS];
  int count = 0;
  for (int i = 0; i < WORDS; i++)
    __asm__ volatile("" : "+m"(unset[i]));
  for (int i = 0; i < WORDS; i++)
    count += is_text(unset[i]);
  printf("words of text: %d\n", count);
  return omp_get_max_threads() == 0;
}
