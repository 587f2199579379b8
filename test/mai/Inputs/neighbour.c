/*===-- neighbour.c - a program with threads, among others -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: neighbour NAME [idle | fork | user | turn].  Opens a parallel region, unless it is to be idle, writes the CPUs on
   which each thread may run into the file NAME, and waits for a signal.  With fork, a child does that; with user, it does so as
   the user 1000.  With turn, it is idle, and it stays the program whose turn it is to choose CPUs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mai.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

static char seen[MOST_THREADS][256];

static void look(char *text) {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    abort();
  for (int i = 0; i < MOST_THREADS; i++)
    if (CPU_ISSET(i, &mask))
      sprintf(text + strlen(text), "%s%d", *text ? "," : "", i);
}

static int open_region(void) {
  int threads = 0;
#pragma omp parallel
  {
    look(seen[omp_get_thread_num()]);
#pragma omp single
    threads = omp_get_num_threads();
  }
  return threads;
}

static void write_file(const char *name, int threads) {
  char path[256];
  snprintf(path, sizeof path, "%s~", name);
  FILE *file = fopen(path, "w");
  if (!file)
    exit(1);
  for (int i = 0; i < threads; i++)
    fprintf(file, "%s%s", i ? " " : "", seen[i]);
  fprintf(file, threads ? "\n" : "idle\n");
  fclose(file);
  rename(path, name);
}

/* By the lock behind those of CPUs (mai/neighbours/claims.c). */
static int keep_turn(void) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * 8192, .l_len = 1};
  return fcntl(200, F_SETLK, &lock);
}

int main(int argc, char **argv) {
  const char *how = argc > 2 ? argv[2] : "";
  if (strcmp(how, "user") == 0 && (setgid(1000) != 0 || setuid(1000) != 0))
    return 1;
  if (mai_init() != 0)
    return 1;
  if (strcmp(how, "fork") == 0 && fork() != 0)
    return wait(NULL) < 0;
  bool turn = strcmp(how, "turn") == 0;
  if (turn && keep_turn() != 0)
    return 1;
  write_file(argv[1], turn || strcmp(how, "idle") == 0 ? 0 : open_region());
  pause();
  return 0;
}
