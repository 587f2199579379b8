/*===-- threads.c - times empty parallel regions and pinning ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: threads REGIONS ROUNDS
 * Prints the least time of an empty parallel region over ROUNDS rounds of REGIONS regions each, in
 * nanoseconds, as EPCC's benchmark of overheads does.  With -DWITH_MAI also by how much a region
 * takes longer, for each of its threads, in which all threads are pinned anew.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_MAI
#include <mai.h>
#endif

enum { REMAPPINGS = 200, MOST_THREADS = 1024 };

static void run_regions(long count) {
  for (long i = 0; i < count; i++)
#pragma omp parallel
    __asm__ volatile("" ::: "memory");
}

static double seconds_of_regions(long count) {
  double begin = omp_get_wtime();
  run_regions(count);
  return omp_get_wtime() - begin;
}

static double least_region_seconds(long regions, long rounds) {
  double least = 1e9;
  run_regions(regions);
  for (long i = 0; i < rounds; i++) {
    double seconds = seconds_of_regions(regions) / (double)regions;
    least = seconds < least ? seconds : least;
  }
  return least;
}

#ifdef WITH_MAI
static int compare(const void *left, const void *right) {
  double a = *(const double *)left;
  double b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The median over remappings that give each thread the CPU of its neighbour. */
static double pinning_seconds(double region_seconds) {
  unsigned cpus[MOST_THREADS];
  double seconds[REMAPPINGS];
  unsigned threads = (unsigned)omp_get_max_threads();
  if (threads > MOST_THREADS)
    threads = MOST_THREADS;
  for (int i = 0; i < REMAPPINGS; i++) {
    int first = mai_cpu_of_thread(0);
    for (unsigned t = 0; t + 1 < threads; t++)
      cpus[t] = (unsigned)mai_cpu_of_thread(t + 1);
    cpus[threads - 1] = (unsigned)first;
    if (first < 0 || mai_map_threads(cpus, threads) != 0)
      return -1;
    seconds[i] = seconds_of_regions(1);
    run_regions(10);
  }
  qsort(seconds, REMAPPINGS, sizeof *seconds, compare);
  return (seconds[REMAPPINGS / 2] - region_seconds) / threads;
}
#endif

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  double region = least_region_seconds(atol(argv[1]), atol(argv[2]));
  printf("region %.1f\n", 1e9 * region);
#ifdef WITH_MAI
  printf("pinning %.1f\n", 1e9 * pinning_seconds(region));
#endif
  return 0;
}
