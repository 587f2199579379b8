/* The C library sets up the memory of a team's new threads on the nodes where these are to run: nothing is moved, neither
   for a first team nor for a larger one after it.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{clang} %s -o %t.clang %{mai}
   RUN: %{guest} --topology 4x2 --thp never --file %t.gcc --file %t.clang --balancing off \
   RUN:   -- sh -c '%t.gcc && %t.clang' | FileCheck %s
   CHECK-COUNT-2: pages moved: 0 for 4 threads, 0 for 8
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long moved_since(long before) {
  char line[128];
  long pages = -1;
  FILE *counts = fopen("/proc/vmstat", "r");
  while (counts && fgets(line, sizeof line, counts))
    sscanf(line, "pgmigrate_success %ld", &pages);
  if (!counts || pages < 0)
    exit(1);
  fclose(counts);
  return pages - before;
}

static long moved_by_team(int threads) {
  long before = moved_since(0);
  int begun = 0;
#pragma omp parallel num_threads(threads) reduction(+ : begun)
  begun += omp_get_num_threads() == threads;
  return begun == threads ? moved_since(before) : -1;
}

int main(void) {
  moved_by_team(1); /* the first thread is pinned, and its memory moved */
  long few = moved_by_team(4), many = moved_by_team(8);
  printf("pages moved: %ld for 4 threads, %ld for 8\n", few, many);
  return 0;
}
