/* A team's new threads begin on their CPUs: the kernel, which would have to move them there by a thread of its own
   (`migration/N`), moves few of them, if any.

   REQUIRES: guest
   RUN: %{gcc} %s -o %t %{mai}
   RUN: %{guest} --topology 4x2 --file %t -- sh -c 'for run in 1 2 3 4 5; do %t || exit; done' \
   RUN:   | awk '{ threads += $1; moved += $2 } END { print threads, "threads,", moved < threads / 2 ? "few" : moved, "moved" }' \
   RUN:   | FileCheck %s
   CHECK: {{^35 threads, few moved$}}
*/
#include <dirent.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often it has run, if it is one of the kernel's that move threads. */
static long runs_of(const char *process) {
  char path[300], line[128];
  long runs = 0;
  bool moves_threads = false;
  snprintf(path, sizeof path, "/proc/%s/status", process);
  FILE *status = fopen(path, "r");
  while (status && fgets(line, sizeof line, status)) {
    moves_threads |= strncmp(line, "Name:\tmigration/", strlen("Name:\tmigration/")) == 0;
    sscanf(line, "voluntary_ctxt_switches: %ld", &runs);
  }
  if (status)
    fclose(status);
  return moves_threads ? runs : 0;
}

static long moves(void) {
  long sum = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *entry; all && (entry = readdir(all));)
    sum += runs_of(entry->d_name);
  if (!all || sum == 0)
    abort();
  closedir(all);
  return sum;
}

static long moves_by_team(int threads) {
  long before = moves();
#pragma omp parallel num_threads(threads)
  if (omp_get_num_threads() != threads)
    abort();
  return moves() - before;
}

int main(void) {
  moves_by_team(1); /* the first thread is pinned */
  long few = moves_by_team(4), more = moves_by_team(8);
  printf("7 %ld\n", few + more);
  return 0;
}
