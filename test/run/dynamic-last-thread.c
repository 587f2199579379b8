/* A program whose last thread ends has ended, though its memory is being watched.

   RUN: %{gcc} %s -o %t
   RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1 \
   RUN:   timeout -s KILL 60 %{build}/bin/mai-run -q --dynamic -r %t.json %t | FileCheck %s
   CHECK: the end
*/
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 4 << 20, PASSES = 20 };

int main(void) {
  char *block = malloc(BYTES);
  for (int pass = 0; pass < PASSES; pass++) {
#pragma omp parallel for
    for (size_t i = 0; i < BYTES; i++)
      block[i] = (char)(i + (size_t)pass);
  }
  puts(block[BYTES - 1] == (char)(BYTES - 1 + PASSES - 1) ? "the end" : "wrong");
  fflush(stdout);
  pthread_exit(NULL);
}
