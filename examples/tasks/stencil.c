/*===-- stencil.c - steps of the heat equation by loops of tasks --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Jacobi steps on a cube of which all sides are held at 0: one loop of tasks (taskloop) a step,
 * over its planes.
 *
 *   gcc -O2 -fopenmp stencil.c -o stencil -lm
 *   ./stencil --size 64 --steps 10
 */
#include <math.h>

#include "common.h"

static long size = 48; /* with the sides */
static long steps = 6;
static long cutoff = 2; /* planes of a task */

static const double pace = 0.125;

static void step_plane(const double *from, double *to) {
  for (long j = 1; j < size - 1; j++)
    for (long k = 1; k < size - 1; k++) {
      const double *at = from + j * size + k;
      double around = at[-size * size] + at[size * size] + at[-size] + at[size] + at[-1] + at[1];
      to[j * size + k] = *at + pace * (around - 6 * *at);
    }
}

static void step(const double *from, double *to) {
#pragma omp taskloop grainsize(cutoff)
  for (long i = 1; i < size - 1; i++)
    step_plane(from + i * size * size, to + i * size * size);
}

/* Of waves that vanish at the sides each step leaves the same part. */
static double wave(long i, long j, long k) {
  double angle = 3.14159265358979323846 / (double)(size - 1);
  return sin(angle * (double)i) * sin(angle * (double)j) * sin(angle * (double)k);
}

static double part_left(void) {
  double angle = 3.14159265358979323846 / (double)(size - 1);
  return pow(1 - 6 * pace * (1 - cos(angle)), (double)steps);
}

static void fill(double *heat, double *other) {
#pragma omp parallel for schedule(static) if (!serial)
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++)
      for (long k = 0; k < size; k++) {
        bool side = i % (size - 1) == 0 || j % (size - 1) == 0 || k % (size - 1) == 0;
        heat[(i * size + j) * size + k] = side ? 0 : wave(i, j, k);
        other[(i * size + j) * size + k] = 0;
      }
}

static bool is_right(const double *heat) {
  double left = part_left();
  double worst = 0;
  for (long i = 1; i < size - 1; i++)
    for (long j = 1; j < size - 1; j++)
      for (long k = 1; k < size - 1; k++)
        worst = fmax(worst, fabs(heat[(i * size + j) * size + k] - left * wave(i, j, k)));
  printf("largest error %.1e\n", worst);
  return worst < 1e-12;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--size", &size, 200}, {"--steps", &steps, 10}, {"--cutoff", &cutoff, 2}, {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  size = size < 3 ? 3 : size;
  double *heat = allocate(size * size * size, sizeof *heat);
  double *next = allocate(size * size * size, sizeof *next);
  fill(heat, next);
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < steps; i++)
    step(i % 2 ? next : heat, i % 2 ? heat : next);
  double seconds = omp_get_wtime() - begin;
  printf("%ld steps of %ld x %ld x %ld\n", steps, size, size, size);
  int status = tell(is_right(steps % 2 ? next : heat), seconds);
  free(next);
  free(heat);
  return status;
}
