/*===-- startup.c - times the start of programs ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: startup start | first-region
 * Prints the seconds that it takes, once: a process starts once.  With -DWITH_MAI mai_init() and a
 * first parallel region after it, whose threads are pinned; without, hwloc_topology_load() and a
 * first region without MAi.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_MAI
#include <mai.h>
#else
#include <hwloc.h>
#endif

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds_of_start(void) {
#ifdef WITH_MAI
  double begin = now();
  if (mai_init() != 0)
    exit(1);
#else
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0)
    exit(1);
  double begin = now();
  if (hwloc_topology_load(topology) != 0)
    exit(1);
#endif
  return now() - begin;
}

static double seconds_of_first_region(void) {
#ifdef WITH_MAI
  if (mai_init() != 0)
    exit(1);
#endif
  double begin = now();
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  return now() - begin;
}

int main(int count, char **words) {
  double seconds = 0;
  if (count == 2 && strcmp(words[1], "start") == 0)
    seconds = seconds_of_start();
  else if (count == 2 && strcmp(words[1], "first-region") == 0)
    seconds = seconds_of_first_region();
  else
    return 2;
  printf("%.9f\n", seconds);
  return 0;
}
