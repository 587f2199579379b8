/* The local variables of a thread, and its stack, lie on the node on which it runs, whoever has bound it; the C
   library sets them up in the thread that creates it.  Where the user has a policy for threads, it holds.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t.gcc %{mai}
   RUN: %{clang} -D_GNU_SOURCE %s -o %t.clang %{mai}
   RUN: %{guest} --topology 4x2 --thp never --file %t.gcc --file %t.clang --env OMP_WAIT_POLICY=passive \
   RUN:   --balancing off \
   RUN:   -- sh -c '%t.gcc && %t.clang && OMP_PLACES=cores OMP_PROC_BIND=spread %t.gcc && %t.gcc policy' | FileCheck %s
   CHECK-COUNT-3: locals: 0 of 128 pages remote, stacks: 0 of 8
   CHECK-NEXT: interleaved: 7 of 7 threads
*/
#include <mai.h>
#include <numaif.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 16 };

static char locals[PAGES * PAGE];
#pragma omp threadprivate(locals)

static unsigned node_of_thread(void) {
  unsigned cpu, node;
  getcpu(&cpu, &node);
  return node;
}

static int remote_pages(const char *start, int pages, unsigned node) {
  int remote = 0;
  for (int page = 0; page < pages; page++) {
    int where = mai_where(start + page * PAGE);
    remote += where >= 0 && where != (int)node;
  }
  return remote;
}

static void look(void) {
  int remote = 0, stacks = 0;
#pragma omp parallel num_threads(8) reduction(+ : remote, stacks)
  {
    char here;
    unsigned node = node_of_thread();
    remote += remote_pages(locals, PAGES, node);
    stacks += remote_pages(&here, 1, node);
  }
  printf("locals: %d of %d pages remote, stacks: %d of 8\n", remote, 8 * PAGES, stacks);
}

/* Of the threads that inherit the policy. */
static void look_at_policy(void) {
  unsigned long all = 0xf;
  int interleaved = 0;
  syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, &all, 8 * sizeof all);
#pragma omp parallel num_threads(8) reduction(+ : interleaved)
  {
    for (int page = 0; page < PAGES; page++)
      locals[page * PAGE] = 1;
    bool inherited = omp_get_thread_num() > 0;
    interleaved += inherited && remote_pages(locals, PAGES, node_of_thread()) == PAGES / 4 * 3;
  }
  printf("interleaved: %d of 7 threads\n", interleaved);
}

int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1)
    look_at_policy();
  else
    look();
  return 0;
}
