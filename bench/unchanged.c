/*===-- unchanged.c - what mai-run costs programs that allocate much *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: unchanged temporaries|small|pages ROUNDS WORK
 *
 * temporaries: blocks of 1 MiB, one after the other, all of which is written.
 * small, pages: 8 threads take and give back blocks of 16 to 512 bytes, or of 4 to 64 KiB, a
 * hundred of which each holds.  Between two of them they compute for WORK multiplications, each of
 * which waits for the one before.
 *
 * Prints the nanoseconds of the processor that one block has taken.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, HELD = 100, TEMPORARY = 1 << 20, PAGE = 4096 };

static long rounds, work;
static size_t least, spread;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static __attribute__((__noinline__)) void step(void) {
  char *temporary = malloc(TEMPORARY);
  if (!temporary)
    abort();
  memset(temporary, 1, TEMPORARY);
  __asm__ volatile("" : : "r"(temporary) : "memory"); /* somebody may read it */
  free(temporary);
}

static void compute(char *with) {
  uint64_t number = (uint64_t)(uintptr_t)with | 1;
  for (long i = 0; i < work; i++)
    number *= number;
  *with = (char)number;
}

static void *take_and_give(void *argument) {
  char *held[HELD] = {0};
  (void)argument;
  for (long i = 0; i < rounds; i++) {
    char **slot = &held[i % HELD];
    free(*slot);
    *slot = malloc(least + (size_t)i * 37 % spread);
    if (!*slot)
      abort();
    compute(*slot);
  }
  for (int i = 0; i < HELD; i++)
    free(held[i]);
  return NULL;
}

static void in_threads(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, take_and_give, NULL) != 0)
      abort();
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  rounds = strtol(argv[2], NULL, 10);
  work = strtol(argv[3], NULL, 10);
  bool temporaries = strcmp(argv[1], "temporaries") == 0;
  bool pages = strcmp(argv[1], "pages") == 0;
  least = pages ? PAGE : 16;
  spread = pages ? 15 * PAGE : 496;
  double begin = now();
  for (long i = 0; temporaries && i < rounds; i++)
    step();
  if (!temporaries)
    in_threads();
  printf("%.3f\n", (now() - begin) / ((double)rounds * (temporaries ? 1 : THREADS)));
  return 0;
}
