/* A thread other than the first sets the size of its teams, before or after arrays are placed: each page lies on
   the node of the thread that works on it.  When the first thread opens a team again, its teams count.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{gcc} -I%S/Inputs %s -o %t.gcc %{mai}
   RUN: %{clang} -I%S/Inputs %s -o %t.clang %{mai}
   RUN: %{guest} --topology 4x2 --file %t.gcc --file %t.clang \
   RUN:   -- sh -c '%t.gcc && %t.clang' | FileCheck %s
   CHECK: placed before: 0 of 1024 pages remote
   CHECK-NEXT: placed after: 0 of 1024 pages remote
   CHECK-NEXT: first thread: 0 of 1024 pages remote
   CHECK-NEXT: set to four: 0 of 1024 pages remote
   CHECK-NEXT: first thread: 0 of 1024 pages remote
   CHECK: placed before: 0 of 1024 pages remote
   CHECK-NEXT: placed after: 0 of 1024 pages remote
   CHECK-NEXT: first thread: 0 of 1024 pages remote
   CHECK-NEXT: set to four: 0 of 1024 pages remote
   CHECK-NEXT: first thread: 0 of 1024 pages remote
 */
#define _GNU_SOURCE
#include <mai.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "pages.h"

enum { PAGES = 1024, CPUS_A_NODE = 2 };

static char *before, *after;

/* How many pages lie on another node than the thread that works on them. */
static void count_remote(const char *when, const char *array) {
  int remote = 0;
#pragma omp parallel for schedule(static) reduction(+ : remote)
  for (int page = 0; page < PAGES; page++)
    remote += node_of_page(array + page * 4096L) != sched_getcpu() / CPUS_A_NODE;
  printf("%s: %d of %d pages remote\n", when, remote, PAGES);
}

static char *allocate(void) {
  char *array = mai_alloc_block(PAGES, 4096);
  memset(array, 1, PAGES * 4096L);
  return array;
}

static void *use_two(void *unused) {
  (void)unused;
  omp_set_num_threads(2);
  count_remote("placed before", before);
  after = allocate();
  count_remote("placed after", after);
  return NULL;
}

static void *use_four(void *unused) {
  (void)unused;
  omp_set_num_threads(4);
  count_remote("set to four", after);
  return NULL;
}

static void run(void *(*start)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, start, NULL) == 0)
    pthread_join(thread, NULL);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  before = allocate();
  run(use_two);
  count_remote("first thread", before);
  run(use_four);
  count_remote("first thread", after);
  return 0;
}
