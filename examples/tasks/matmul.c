/*===-- matmul.c - multiplies matrices by tasks -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * C = C + A B by quadrants of C: each gets the products of two pairs, one after the other, so that
 * no two tasks add to the same element.
 *
 *   gcc -O2 -fopenmp matmul.c -o matmul -lm
 *   ./matmul --size 512
 */
#include <math.h>

#include "common.h"

static long size = 192;
static long cutoff = 32; /* the longest side of blocks that are done by one task */

static void multiply_alone(const double *a, const double *b, double *c, long rows, long columns,
                           long inner) {
  for (long i = 0; i < rows; i++)
    for (long k = 0; k < inner; k++)
      for (long j = 0; j < columns; j++)
        c[i * size + j] += a[i * size + k] * b[k * size + j];
}

/* A has `rows` rows and `inner` columns, B `inner` rows and `columns` columns. */
static void multiply(const double *a, const double *b, double *c, long rows, long columns,
                     long inner) {
  if (rows <= cutoff && columns <= cutoff && inner <= cutoff) {
    multiply_alone(a, b, c, rows, columns, inner);
  } else if (inner > rows && inner > columns) {
    long half = inner / 2;
    multiply(a, b, c, rows, columns, half);
    multiply(a + half, b + half * size, c, rows, columns, inner - half);
  } else if (rows >= columns) {
    long half = rows / 2;
#pragma omp task
    multiply(a, b, c, half, columns, inner);
#pragma omp task
    multiply(a + half * size, b, c + half * size, rows - half, columns, inner);
#pragma omp taskwait
  } else {
    long half = columns / 2;
#pragma omp task
    multiply(a, b, c, rows, half, inner);
#pragma omp task
    multiply(a, b + half, c + half, rows, columns - half, inner);
#pragma omp taskwait
  }
}

/* C times a vector of random numbers is A times what B makes of it (R. Freivalds, "Probabilistic
   machines can use less running time", 1977). */
static bool is_right(const double *a, const double *b, const double *c) {
  double *vector = allocate(2 * size, sizeof *vector);
  double *product = vector + size;
  double worst = 0;
  for (long i = 0; i < size; i++) {
    vector[i] = random_fraction(-1 - i);
    product[i] = 0;
  }
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++)
      product[i] += b[i * size + j] * vector[j];
  for (long i = 0; i < size; i++) {
    double difference = 0;
    for (long j = 0; j < size; j++)
      difference += a[i * size + j] * product[j] - c[i * size + j] * vector[j];
    worst = fmax(worst, fabs(difference));
  }
  free(vector);
  printf("largest error %.1e\n", worst);
  return worst < 1e-14 * (double)size * (double)size;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--size", &size, 2048}, {"--cutoff", &cutoff, 32}, {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  double *a = allocate(size * size, sizeof *a);
  double *b = allocate(size * size, sizeof *b);
  double *c = allocate(size * size, sizeof *c);
#pragma omp parallel for schedule(static) if (!serial)
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++) {
      a[i * size + j] = random_fraction(i * size + j);
      b[i * size + j] = random_fraction((size + i) * size + j);
      c[i * size + j] = 0;
    }
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  multiply(a, b, c, size, size, size);
  double seconds = omp_get_wtime() - begin;
  printf("product of %ld x %ld\n", size, size);
  int status = tell(is_right(a, b, c), seconds);
  free(c);
  free(b);
  free(a);
  return status;
}
