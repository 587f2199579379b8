/* Memory whose contents MAi waits for is the program's: it may hide it from everybody, or give it to somebody
   else, between two teams.  MAi does not touch what it reads, and on one node it reads nothing.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: %t | FileCheck %s
*/
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 1 << 20 };

static char *map(void) {
  char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    exit(1);
  return memory;
}

static char *place(const char *policy, const char *name) {
  char *memory = map();
  if (mai_place(memory, BYTES / 8, 8, policy, name) != 0)
    exit(1);
  memset(memory, 1, BYTES / 2);
  return memory;
}

static int threads;

static void open_teams(void) {
  for (int i = 0; i < 3; i++)
#pragma omp parallel reduction(+ : threads)
    threads += omp_get_num_threads() > 0;
}

int main(void) {
  char *arrays[] = {place("block filled", "filled"), place("block along pointers", "matrix"),
                    place("block", "pointers")};
  for (int i = 0; i < 3; i++)
    mprotect(arrays[i], BYTES, PROT_NONE);
  open_teams();
  // CHECK: hidden
  puts("hidden");
  for (int i = 0; i < 3; i++)
    munmap(arrays[i], BYTES);
  open_teams();
  // CHECK: gone
  puts("gone");
  return 0;
}
