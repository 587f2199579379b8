/*===-- one-home.c - tasks whose data is all on one node -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* The tasks sleep, so that it does not matter how many CPUs there really are.  With "phases" it is
   another node in each phase.  Two threads are on each node, one node after the other. */
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LEAVES = 512, BYTES = 16 << 10, NODES = 4, A_NODE = LEAVES / NODES, A_PHASE = 32 };

static char *data;
static int elsewhere;

static void work(char *part, int node) {
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  (*part)++;
  if (omp_get_thread_num() / 2 != node) {
#pragma omp atomic
    elsewhere++;
  }
}

static void halve(char *part, int leaves) {
  if (leaves == 1) {
    work(part, 0);
    return;
  }
#pragma omp task
  halve(part, leaves / 2);
#pragma omp task
  halve(part + (size_t)(leaves / 2) * BYTES, leaves / 2);
#pragma omp taskwait
}

static void run_phase(int node, int first) {
  for (int leaf = first; leaf < first + A_PHASE; leaf++) {
    char *part = data + (size_t)leaf * BYTES;
#pragma omp task firstprivate(part, node)
    work(part, node);
  }
#pragma omp taskwait
}

static void run_phases(void) {
  for (int phase = 0; phase < LEAVES / A_PHASE; phase++) {
    int node = phase % NODES;
    run_phase(node, node * A_NODE + phase / NODES * A_PHASE);
  }
}

int main(int count, char **ways) {
  int done = 0;
  if (count != 2)
    return 2;
  int is_halved = strcmp(ways[1], "halves") == 0;
  data = mai_alloc(LEAVES, BYTES, is_halved ? "bind 0 populate" : "block populate", "data");
  if (!data)
    return 1;
#pragma omp parallel
#pragma omp single
  if (is_halved)
    halve(data, LEAVES);
  else
    run_phases();
  for (int leaf = 0; leaf < LEAVES; leaf++)
    done += data[(size_t)leaf * BYTES];
  printf("%d of %d tasks\n", done, LEAVES);
  printf("by threads of other nodes: %d\n", elsewhere);
  mai_free(data);
  return done == LEAVES && elsewhere > LEAVES / 2 ? 0 : 1;
}
