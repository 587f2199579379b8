/*===-- heat.c - heat that spreads over a plate, by tasks ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Jacobi steps of the heat equation.  Each step divides the rows in halves until few are left.
 *
 *   gcc -O2 -fopenmp heat.c -o heat -lm
 *   ./heat --rows 1024 --columns 512 --steps 20
 *
 * The plate begins as sin(pi x) sin(pi y), which a step multiplies by a known factor.
 */
#include <math.h>

#include "common.h"

#define PI 3.14159265358979323846
#define SHARE 0.2 /* of each neighbour's heat that comes in a step; stable up to 0.25 */

static long rows = 256;
static long columns = 128;
static long steps = 10;
static long cutoff = 16; /* rows that are done by one task */

static void step_row(const double *from, double *to) {
  for (long j = 1; j < columns - 1; j++)
    to[j] = from[j] + SHARE * (from[j - columns] + from[j + columns] + from[j - 1] + from[j + 1] -
                               4 * from[j]);
}

static void step_rows(const double *from, double *to, long count) {
  if (count <= cutoff) {
    for (long i = 0; i < count; i++)
      step_row(from + i * columns, to + i * columns);
    return;
  }
  long half = count / 2;
#pragma omp task
  step_rows(from, to, half);
#pragma omp task
  step_rows(from + half * columns, to + half * columns, count - half);
#pragma omp taskwait
}

static double begin_at(long i, long j) {
  return sin(PI * (double)i / (double)(rows - 1)) * sin(PI * (double)j / (double)(columns - 1));
}

/* What a step makes of 1. */
static double factor(void) {
  double along = cos(PI / (double)(rows - 1));
  double across = cos(PI / (double)(columns - 1));
  return 1 + SHARE * (2 * along + 2 * across - 4);
}

static bool is_right(const double *plate) {
  double share = pow(factor(), (double)steps);
  double worst = 0;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      worst = fmax(worst, fabs(plate[i * columns + j] - share * begin_at(i, j)));
  printf("largest error %.1e\n", worst);
  return worst < 1e-12 * (double)steps;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--rows", &rows, 2048},
                                   {"--columns", &columns, 500},
                                   {"--steps", &steps, 10},
                                   {"--cutoff", &cutoff, 16},
                                   {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  if (rows < 3 || columns < 3)
    end_with_usage(*arguments, options);
  double *from = allocate(rows * columns, sizeof *from);
  double *to = allocate(rows * columns, sizeof *to);
#pragma omp parallel for schedule(static) if (!serial)
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      to[i * columns + j] = from[i * columns + j] = begin_at(i, j);
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  for (long step = 0; step < steps; step++) {
    step_rows(from + columns, to + columns, rows - 2);
    double *other = from;
    from = to;
    to = other;
  }
  double seconds = omp_get_wtime() - begin;
  printf("heat on %ld x %ld, %ld steps\n", rows, columns, steps);
  int status = tell(is_right(from), seconds);
  free(from);
  free(to);
  return status;
}
