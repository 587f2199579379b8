/* What the program's first thread fills before its first region is on the node where the map has it, wherever the
   thread was when it asked for the memory: the kernel may have sent it elsewhere meanwhile.  It may do so again
   before the test looks, which is chance.

   UNSUPPORTED: sanitizer
   ALLOW_RETRIES: 2
   REQUIRES: guest
   RUN: %{gcc} %s -o %t
   RUN: %{guest} --topology 4x1 --balancing off --env OMP_NUM_THREADS=4 --env MAI_NEIGHBOURS=0 \
   RUN:   --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run --file %t \
   RUN:   -- %{build}/bin/mai-run -q -m compact --dynamic %t >%t.out
   RUN: FileCheck %s <%t.out
   CHECK: node 3, then node 0
   CHECK-NEXT: CPUs: 4
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned node(void) {
  unsigned cpu, number;
  getcpu(&cpu, &number);
  return number;
}

static void go_to(int cpu) {
  cpu_set_t before, there;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&there);
  CPU_SET(cpu, &there);
  sched_setaffinity(0, sizeof there, &there);
  sched_setaffinity(0, sizeof before, &before);
}

int main(void) {
  cpu_set_t mask;
  go_to(3);
  unsigned before = node();
  char *volatile array = malloc(8 << 20);
  printf("node %u, then node %u\n", before, node());
  free(array);
  sched_getaffinity(0, sizeof mask, &mask);
  printf("CPUs: %d\n", CPU_COUNT(&mask));
#pragma omp parallel
  {
    (void)omp_get_thread_num();
  }
  return 0;
}
