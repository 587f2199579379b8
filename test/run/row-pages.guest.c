/* In the guest, rows of some hundred bytes, one for each thread, do not lie on one page: each is on its thread's node.

   REQUIRES: guest
   RUN: %{gcc} -D_GNU_SOURCE -g -fopenmp %s -o %t
   RUN: echo 'rows of make#0 at *: block' >%t.policies
   RUN: %{guest} --topology 4x2 --balancing off --file %{build}/mai/libmai-run.so --file %t --file %t.policies \
   RUN:   -- %{build}/bin/mai-run -q -p @%t.policies %t | FileCheck %s
   CHECK: on their threads' nodes: 8 of 8
   CHECK-NEXT: lost: 0
*/
#include <omp.h>
#include <stdlib.h>

#include "../mai/Inputs/pages.h"

enum { Threads = 8, Bytes = 600 };

static __attribute__((noinline)) char *make(int number) {
  return memset(malloc(Bytes), number, Bytes);
}

int main(void) {
  char *counts[Threads];
  int right = 0, lost = 0;
  for (int t = 0; t < Threads; t++)
    counts[t] = make(t);
#pragma omp parallel num_threads(Threads)
  counts[omp_get_thread_num()][Bytes / 2]++;
  for (int t = 0; t < Threads; t++) {
    right += node_of_page(counts[t]) == t / 2;
    for (int i = 0; i < Bytes; i++)
      lost += counts[t][i] != t + (i == Bytes / 2);
    free(counts[t]);
  }
  printf("on their threads' nodes: %d of %d\nlost: %d\n", right, Threads, lost);
}
