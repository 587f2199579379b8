/*===-- measure_trust.c - which measured values are believed ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Decisions only: what they are made of is read elsewhere, so that they are tested without clocks.
 *
 * Runs are compared by ranks, because times have a long tail on one side and no normal
 * distribution.  The interval from the k-th lowest to the k-th highest of n values holds the median
 * of all possible runs unless k - 1 or fewer of n fair coins fall on one side: the sign test's
 * confidence interval.
 */
#include <math.h>
#include <stdlib.h>

#include "measure.h"

/* On each side: the interval is of 95 %. */
static const double ERROR = 0.025;

/* The farthest end of the interval from the median, as a share of the median. */
static const double TOLERANCE = 0.1;

/* Of a CPU, and of all CPUs, that other programs may use meanwhile; the kernel counts in steps. */
static const double BUSY_CPU = 0.25;
static const double BUSY_SHARE = 0.01;
static const double COUNTING_STEPS = 0.05; /* seconds */

static int compare_values(const void *left, const void *right) {
  double a = *(const double *)left;
  double b = *(const double *)right;
  return (a > b) - (a < b);
}

unsigned measure_rank(unsigned count) {
  double at_most = 0; /* the probability that `rank` or fewer coins of `count` fall on one side */
  double exactly = pow(0.5, count);
  unsigned rank = 0;
  for (;; rank++) {
    at_most += exactly;
    if (at_most > ERROR || rank >= count)
      return rank;
    exactly *= (double)(count - rank) / (rank + 1);
  }
}

struct measure_verdict measure_judge(struct measure_runs *runs) {
  struct measure_verdict verdict = {0};
  unsigned rank = measure_rank(runs->count);
  if (runs->count < MEASURE_FEWEST_RUNS || rank == 0)
    return verdict;
  double *values = runs->values;
  qsort(values, runs->count, sizeof *values, compare_values);
  verdict.median = (values[(runs->count - 1) / 2] + values[runs->count / 2]) / 2;
  verdict.least = values[rank - 1];
  verdict.most = values[runs->count - rank];
  verdict.agree = verdict.median - verdict.least <= TOLERANCE * verdict.median &&
                  verdict.most - verdict.median <= TOLERANCE * verdict.median;
  return verdict;
}

double measure_others(const struct measure_load *before, const struct measure_load *after) {
  double seconds = after->seconds - before->seconds;
  double others = after->busy - before->busy - (after->own - before->own);
  if (!before->known || !after->known || !(seconds > 0))
    return 0;
  return fmax(others - COUNTING_STEPS, 0) / seconds;
}

bool measure_is_busy(double others, uint32_t cpus) {
  return others > fmax(BUSY_CPU, BUSY_SHARE * cpus);
}
