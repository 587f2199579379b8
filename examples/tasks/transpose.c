/*===-- transpose.c - transposes a matrix by tasks ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Divides the longer side until a block is small (M. Frigo and others, "Cache-oblivious
 * algorithms", 1999).
 *
 *   gcc -O2 -fopenmp transpose.c -o transpose
 *   ./transpose --size 2048
 */
#include "common.h"

static long size = 512;
static long cutoff = 32; /* the longer side of blocks that are done by one task */

static void transpose_alone(const double *from, double *to, long rows, long columns) {
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      to[j * size + i] = from[i * size + j];
}

static void transpose(const double *from, double *to, long rows, long columns) {
  if (rows <= cutoff && columns <= cutoff) {
    transpose_alone(from, to, rows, columns);
  } else if (rows >= columns) {
    long half = rows / 2;
#pragma omp task
    transpose(from, to, half, columns);
#pragma omp task
    transpose(from + half * size, to + half, rows - half, columns);
#pragma omp taskwait
  } else {
    long half = columns / 2;
#pragma omp task
    transpose(from, to, rows, half);
#pragma omp task
    transpose(from + half, to + half * size, rows, columns - half);
#pragma omp taskwait
  }
}

static bool is_right(const double *transposed) {
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++)
      if (transposed[j * size + i] != random_fraction(i * size + j))
        return false;
  return true;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--size", &size, 2048}, {"--cutoff", &cutoff, 32}, {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  double *from = allocate(size * size, sizeof *from);
  double *to = allocate(size * size, sizeof *to);
#pragma omp parallel for schedule(static) if (!serial)
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++) {
      from[i * size + j] = random_fraction(i * size + j);
      to[i * size + j] = 0;
    }
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  transpose(from, to, size, size);
  double seconds = omp_get_wtime() - begin;
  printf("transpose of %ld x %ld\n", size, size);
  int status = tell(is_right(to), seconds);
  free(to);
  free(from);
  return status;
}
