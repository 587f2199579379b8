/*===-- measure_trust_test.c - which measurements are believed --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Expectations by hand, and the interval's ranks from tables of the sign test. */
#include <string.h>

#include "check.h"
#include "numarch/tool/measure.h"

static void check_ranks(void) {
  static const unsigned ranks[] = {[5] = 0,  [6] = 1,  [8] = 1,  [9] = 2,  [11] = 2,
                                   [12] = 3, [15] = 4, [18] = 5, [24] = 7, [30] = 10};
  static const unsigned counts[] = {0, 1, 5, 6, 8, 9, 11, 12, 15, 18, 24, 30};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    CHECK(measure_rank(counts[i]) == ranks[counts[i]]);
}

static struct measure_verdict judge(const double *values, unsigned count) {
  struct measure_runs runs = {.count = count};
  memcpy(runs.values, values, count * sizeof *values);
  return measure_judge(&runs);
}

static void check_runs_that_agree(void) {
  struct measure_verdict verdict = judge((double[]){101, 99, 100, 98, 103, 109}, 6);
  CHECK(verdict.agree && verdict.median == 100.5);
  CHECK(verdict.least == 98 && verdict.most == 109);
  /* Of twelve, two on each side may be anything. */
  verdict = judge((double[]){1000, 1, 100, 100, 100, 100, 100, 100, 100, 100, 900, 2}, 12);
  CHECK(verdict.agree && verdict.median == 100);
}

static void check_runs_that_disagree(void) {
  struct measure_verdict verdict = judge((double[]){101, 99, 100, 98, 103, 112}, 6);
  CHECK(!verdict.agree && verdict.most == 112);
  verdict = judge((double[]){101, 99, 100, 10, 103, 100}, 6);
  CHECK(!verdict.agree && verdict.least == 10);
  verdict = judge((double[]){100, 300, 100, 300, 100, 300, 100, 300, 100, 300, 100, 300}, 12);
  CHECK(!verdict.agree && verdict.median == 200);
}

static void check_too_few_runs(void) {
  struct measure_verdict verdict = judge((double[]){100, 100, 100, 100, 100}, 5);
  CHECK(!verdict.agree && verdict.median == 0);
  CHECK(!judge((double[]){0}, 0).agree);
}

/* Others during ten seconds in which this process used eight seconds of CPU time. */
static double others(double busy) {
  const struct measure_load before = {.known = true, .seconds = 5, .busy = 100, .own = 1};
  const struct measure_load after = {.known = true, .seconds = 15, .busy = 108 + busy, .own = 9};
  return measure_others(&before, &after);
}

static void check_others(void) {
  CHECK(others(0) == 0 && others(-0.5) == 0 && others(0.04) == 0);
  CHECK(others(10.05) > 0.99 && others(10.05) < 1.01);
  const struct measure_load known = {.known = true, .seconds = 1};
  const struct measure_load unknown = {.seconds = 2, .busy = 50};
  CHECK(measure_others(&known, &unknown) == 0 && measure_others(&known, &known) == 0);
}

static void check_what_is_busy(void) {
  CHECK(!measure_is_busy(0, 1) && !measure_is_busy(0.25, 8) && measure_is_busy(0.3, 8));
  CHECK(!measure_is_busy(2.5, 256) && measure_is_busy(2.6, 256));
}

int main(void) {
  check_ranks();
  check_runs_that_agree();
  check_runs_that_disagree();
  check_too_few_runs();
  check_others();
  check_what_is_busy();
  if (failures == 0)
    puts("passed");
  return failures != 0;
}
