/*===-- one-home.c - tasks whose data is all on one node -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* The tasks sleep, so that it does not matter how many CPUs there really are.  Threads 0 and 1 are on the data's node. */
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { LEAVES = 512, BYTES = 16 << 10, AT_HOME = 2 };

static int elsewhere;

static void work(char *part) {
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  (*part)++;
  if (omp_get_thread_num() >= AT_HOME) {
#pragma omp atomic
    elsewhere++;
  }
}

static void halve(char *part, int leaves) {
  if (leaves == 1) {
    work(part);
    return;
  }
#pragma omp task
  halve(part, leaves / 2);
#pragma omp task
  halve(part + (size_t)(leaves / 2) * BYTES, leaves / 2);
#pragma omp taskwait
}

int main(void) {
  char *data = mai_alloc(LEAVES, BYTES, "bind 0 populate", "data");
  int done = 0;
  if (!data)
    return 1;
#pragma omp parallel
#pragma omp single
  halve(data, LEAVES);
  for (int leaf = 0; leaf < LEAVES; leaf++)
    done += data[(size_t)leaf * BYTES];
  printf("%d of %d tasks\n", done, LEAVES);
  printf("by threads of other nodes: %d\n", elsewhere);
  mai_free(data);
  return done == LEAVES && elsewhere > LEAVES / 3 ? 0 : 1;
}
