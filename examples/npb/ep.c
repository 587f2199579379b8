/*===-- ep.c - NAS kernel EP: pairs of Gaussian random numbers ----------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Makes 2^M pairs of uniform random numbers into pairs of Gaussian ones, adds these up and counts
 * them: "embarrassingly parallel", almost without memory.
 *
 *   gcc -O3 -fopenmp -DCLASS=W ep.c -o ep -lm
 *
 * The benchmark is EP of the NAS Parallel Benchmarks (Bailey et al., report RNR-94-007, 1994).  Of
 * the pairs (x, y), uniform in the square from -1 to 1, those with t = x^2 + y^2 <= 1 give
 * X = x sqrt(-2 log(t) / t) and Y = y sqrt(-2 log(t) / t).  Counted is how many pairs have
 * l <= max(|X|, |Y|) < l + 1 for l = 0, 1, ..., 9.
 */
#include "common.h"

/* The published classes:  M, sum of the X, sum of the Y, number of Gaussian pairs. */
#define CLASS_S(pick) pick(24, -3247.83465203474, -6958.407078382297, 13176389)
#define CLASS_W(pick) pick(25, -2863.319731645753, -6320.053679109499, 26354769)
#define CLASS_A(pick) pick(28, -4295.875165629892, -15807.32573678431, 210832767)
#define CLASS_B(pick) pick(30, 40338.15542441498, -26606.69192809235, 843345606)
#define CLASS_C(pick) pick(32, 47643.67927995374, -80840.72988043731, 3373275903)

#define PICK_M(m, sum_x, sum_y, gaussian) m
#define PICK_SUM_X(m, sum_x, sum_y, gaussian) sum_x
#define PICK_SUM_Y(m, sum_x, sum_y, gaussian) sum_y
#define PICK_GAUSSIAN(m, sum_x, sum_y, gaussian) gaussian

#define M CLASS_NAMED(CLASS)(PICK_M)
#define SUM_X CLASS_NAMED(CLASS)(PICK_SUM_X)
#define SUM_Y CLASS_NAMED(CLASS)(PICK_SUM_Y)
#define GAUSSIAN CLASS_NAMED(CLASS)(PICK_GAUSSIAN)
#define SEED 271828183
#define TOLERANCE 1e-8

#define PAIRS (INT64_C(1) << M)
#define BATCH 1024 /* pairs made at a time: they stay in the first cache */
#define BATCHES (PAIRS / BATCH)
#define BINS 10

/* How many pairs lie in each square ring. */
static int64_t count[BINS];

/* Draws a batch of pairs and lists those in the unit circle; returns how many.  Without a branch:
 * which pairs are listed cannot be predicted. */
static int draw_batch(int64_t batch, double x[BATCH], double y[BATCH], double t[BATCH],
                      int listed[BATCH]) {
  double uniform[2 * BATCH];
  uint64_t state = skip_random(SEED, UINT64_C(2) * BATCH * (uint64_t)batch);
  fill_random(uniform, 2 * BATCH, &state);

#pragma omp simd
  for (int i = 0; i < BATCH; i++) {
    x[i] = 2.0 * uniform[2 * i] - 1.0;
    y[i] = 2.0 * uniform[2 * i + 1] - 1.0;
    t[i] = x[i] * x[i] + y[i] * y[i];
  }

  int pairs = 0;
  for (int i = 0; i < BATCH; i++) {
    listed[pairs] = i;
    pairs += t[i] <= 1.0;
  }
  return pairs;
}

/* Makes the listed pairs Gaussian and moves them to the front.  Out of line: within its caller, gcc
 * would keep constants of the other loops in vectors, and load them anew after each call of log. */
__attribute__((noinline)) static void make_gaussian(int pairs, const int listed[BATCH],
                                                    double x[BATCH], double y[BATCH],
                                                    const double t[BATCH]) {
  for (int i = 0; i < pairs; i++) {
    const int k = listed[i];
    const double factor = sqrt(-2.0 * log(t[k]) / t[k]);
    x[i] = factor * x[k];
    y[i] = factor * y[k];
  }
}

/* Makes, counts and adds up all pairs. */
static void make_pairs(double *total_x, double *total_y) {
  double sum_x = 0.0;
  double sum_y = 0.0;
#pragma omp parallel for reduction(+ : sum_x, sum_y, count)
  for (int64_t batch = 0; batch < BATCHES; batch++) {
    double x[BATCH];
    double y[BATCH];
    double t[BATCH];
    int listed[BATCH];
    int ring[BATCH];
    const int pairs = draw_batch(batch, x, y, t, listed);
    make_gaussian(pairs, listed, x, y, t);

#pragma omp simd reduction(+ : sum_x, sum_y)
    for (int i = 0; i < pairs; i++) {
      sum_x += x[i];
      sum_y += y[i];
      ring[i] = (int)(fabs(x[i]) > fabs(y[i]) ? fabs(x[i]) : fabs(y[i]));
    }
    for (int l = 0, left = pairs; l < BINS && left > 0; l++) {
      int found = 0;
#pragma omp simd reduction(+ : found)
      for (int i = 0; i < pairs; i++)
        found += ring[i] == l;
      count[l] += found;
      left -= found;
    }
  }
  *total_x = sum_x;
  *total_y = sum_y;
}

static bool check_pairs(double sum_x, double sum_y) {
  int64_t gaussian = 0;
  for (int l = 0; l < BINS; l++) {
    printf(" count %d  %lld\n", l, (long long)count[l]);
    gaussian += count[l];
  }
  bool verified = agrees("sum X", sum_x, SUM_X, TOLERANCE);
  verified &= agrees("sum Y", sum_y, SUM_Y, TOLERANCE);
  verified &= agrees("pairs", (double)gaussian, (double)GAUSSIAN, 0.0);
  return verified;
}

int main(int argc, char **argv) {
  refuse_arguments(argc, argv);
  printf(" NAS EP, class %s: 2^%d pairs, %d threads\n", NAME_OF(CLASS), M, omp_get_max_threads());

  double sum_x = 0.0;
  double sum_y = 0.0;
  const double start = omp_get_wtime();
  make_pairs(&sum_x, &sum_y);

  /* The benchmark's count of operations: the random numbers. */
  report_rate(seconds_since(start), 2e-6 * (double)PAIRS);
  return conclude(check_pairs(sum_x, sum_y));
}
