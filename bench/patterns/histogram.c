/*===-- histogram.c - how often keys occur ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "common.h"

#ifndef SIZE
#define SIZE 150000
#endif
#ifndef SWEEPS
#define SWEEPS 2000
#endif
#define BINS 4096

#ifndef MALLOC
static int keys[SIZE];
static long bins[BINS];
#endif

static void make_keys(int *key) {
#pragma omp parallel for
  for (int i = 0; i < SIZE; i++) {
    const double x = noise((unsigned)i);
    key[i] = (int)(BINS * x * x);
  }
}

static void count(const int *key, long *bin) {
#pragma omp parallel for reduction(+ : bin[ : BINS])
  for (int i = 0; i < SIZE; i++)
    bin[key[i]]++;
}

static double moment(const long *bin) {
  double sum = 0.0;
  for (int b = 0; b < BINS; b++)
    sum += (double)bin[b] * b;
  return sum;
}

int main(void) {
#ifdef MALLOC
  int *keys = malloc(SIZE * sizeof *keys);
  long *bins = malloc(BINS * sizeof *bins);
  if (!keys || !bins)
    return out_of_memory();
#endif
  make_keys(keys);
  for (int b = 0; b < BINS; b++)
    bins[b] = 0;
  const struct times begin = times_now();
  for (int s = 0; s < SWEEPS; s++)
    count(keys, bins);
  const int status = report(begin, moment(bins));
#ifdef MALLOC
  free(keys);
  free(bins);
#endif
  return status;
}
