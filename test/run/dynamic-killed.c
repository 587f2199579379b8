/* A program is killed while its memory is watched: the child that it leaves has a copy to which it can write, and no file stays.

   RUN: rm -rf %t.home && mkdir -p %t.home
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: env OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1 HOME=%t.home \
   RUN:   XDG_CACHE_HOME=%t.home XDG_RUNTIME_DIR=%t.home TMPDIR=%t.home \
   RUN:   sh -c '%{build}/bin/mai-run -q --dynamic %t; echo status $?' | sort | FileCheck %s
   CHECK: status 137
   CHECK-NEXT: the child goes on
   RUN: find %t.home -type f | count 0
*/
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 8 << 20, PASSES = 20 };

static char *block;

static void fill(int pass) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < BYTES; i++)
    block[i] = (char)(i + (size_t)pass);
}

/* Standard output is closed when both have ended. */
static void outlive(int from_parent) {
  char byte;
  while (read(from_parent, &byte, 1) > 0)
    ;
  const char last = block[BYTES - 1];
  memset(block, 1, BYTES);
  if (last == (char)(BYTES - 1 + PASSES - 1) && block[BYTES / 2] == 1)
    puts("the child goes on");
  fflush(stdout);
  _exit(0);
}

int main(void) {
  int ends[2];
  block = malloc(BYTES);
  for (int pass = 0; pass < PASSES; pass++)
    fill(pass);
  if (pipe(ends) != 0)
    return 1;
  if (fork() == 0) {
    close(ends[1]);
    outlive(ends[0]);
  }
  for (int pass = 0; pass < PASSES; pass++)
    fill(pass);
  raise(SIGKILL);
}
