/*===-- sparselu.c - factors a sparse matrix of blocks by tasks ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A = L U, without pivoting, by blocks of which many are empty; some fill in the course.  One
 * thread makes the tasks of each step, one a block.
 *
 *   gcc -O2 -fopenmp sparselu.c -o sparselu -lm
 *   ./sparselu --blocks 16 --side 32
 */
#include <math.h>

#include "common.h"

static long blocks = 10; /* of a row */
static long side = 16;   /* of a block */

static double *values; /* of all blocks, the empty ones as well */
static bool *full;     /* whether a block has values other than 0 */

static double *block(long row, long column) {
  return values + (row * blocks + column) * side * side;
}

static bool *is_full(long row, long column) { return &full[row * blocks + column]; }

/*===-- Steps --------------------------------------------------------------===*/

/* Into L, of which the diagonal is 1, and U, both in its place. */
static void factor(double *a) {
  for (long k = 0; k < side; k++)
    for (long i = k + 1; i < side; i++) {
      a[i * side + k] /= a[k * side + k];
      for (long j = k + 1; j < side; j++)
        a[i * side + j] -= a[i * side + k] * a[k * side + j];
    }
}

/* U's block right of the diagonal's. */
static void solve_lower(const double *diagonal, double *a) {
  for (long k = 0; k < side; k++)
    for (long i = k + 1; i < side; i++)
      for (long j = 0; j < side; j++)
        a[i * side + j] -= diagonal[i * side + k] * a[k * side + j];
}

/* L's block below the diagonal's. */
static void solve_upper(const double *diagonal, double *a) {
  for (long i = 0; i < side; i++)
    for (long k = 0; k < side; k++) {
      a[i * side + k] /= diagonal[k * side + k];
      for (long j = k + 1; j < side; j++)
        a[i * side + j] -= a[i * side + k] * diagonal[k * side + j];
    }
}

static void subtract_product(const double *left, const double *upper, double *a) {
  for (long i = 0; i < side; i++)
    for (long k = 0; k < side; k++)
      for (long j = 0; j < side; j++)
        a[i * side + j] -= left[i * side + k] * upper[k * side + j];
}

static void update_rest(long step) {
  for (long i = step + 1; i < blocks; i++)
    for (long j = step + 1; j < blocks; j++) {
      const double *left = block(i, step);
      const double *upper = block(step, j);
      double *target = block(i, j);
      if (!*is_full(i, step) || !*is_full(step, j))
        continue;
      *is_full(i, j) = true;
#pragma omp task firstprivate(left, upper, target)
      subtract_product(left, upper, target);
    }
#pragma omp taskwait
}

static void solve_row(long step) {
  const double *diagonal = block(step, step);
  for (long j = step + 1; j < blocks; j++) {
    double *right = block(step, j);
    if (!*is_full(step, j))
      continue;
#pragma omp task firstprivate(diagonal, right)
    solve_lower(diagonal, right);
  }
}

static void solve_column(long step) {
  const double *diagonal = block(step, step);
  for (long i = step + 1; i < blocks; i++) {
    double *below = block(i, step);
    if (!*is_full(i, step))
      continue;
#pragma omp task firstprivate(diagonal, below)
    solve_upper(diagonal, below);
  }
}

static void factor_all(void) {
  for (long step = 0; step < blocks; step++) {
    factor(block(step, step));
    solve_row(step);
    solve_column(step);
#pragma omp taskwait
    update_rest(step);
  }
}

/*===-- The matrix, and whether it is right --------------------------------===*/

/* The diagonal, its neighbours, the last row and column, and a third of the others; each row is
   dominated by its diagonal. */
static bool begins_full(long row, long column) {
  return labs(row - column) <= 1 || row == blocks - 1 || column == blocks - 1 ||
         random_number(row * blocks + column) % 3 == 0;
}

static void fill_block(long row, long column) {
  double *a = block(row, column);
  *is_full(row, column) = begins_full(row, column);
  for (long i = 0; i < side * side; i++)
    a[i] = *is_full(row, column) ? random_fraction((row * blocks + column) * side * side + i) - 0.5
                                 : 0;
  for (long i = 0; i < side && row == column; i++)
    a[i * side + i] += (double)(blocks * side);
}

/* result = (part of the blocks) vector, for parts: 0 all, -1 L with its diagonal of 1, 1 U. */
static void multiply(const double *vector, double *result, int part) {
  long n = blocks * side;
  for (long i = 0; i < n; i++) {
    result[i] = part < 0 ? vector[i] : 0;
    for (long j = part > 0 ? i : 0; j < (part < 0 ? i : n); j++)
      result[i] += block(i / side, j / side)[i % side * side + j % side] * vector[j];
  }
}

/* L U times a vector of random numbers is what A times it was. */
static bool is_right(const double *vector, const double *expected) {
  long n = blocks * side;
  double *between = allocate(2 * n, sizeof *between);
  double *product = between + n;
  double worst = 0;
  multiply(vector, between, 1);
  multiply(between, product, -1);
  for (long i = 0; i < n; i++)
    worst = fmax(worst, fabs(product[i] - expected[i]));
  free(between);
  printf("largest error %.1e\n", worst);
  return worst < 1e-13 * (double)n * (double)n;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--blocks", &blocks, 32}, {"--side", &side, 64}, {NULL, NULL, 0}};
  (void)argument_count;
  read_options(arguments, options);
  values = allocate(blocks * blocks * side * side, sizeof *values);
  full = allocate(blocks * blocks, sizeof *full);
  double *vector = allocate(2 * blocks * side, sizeof *vector);
  double *product = vector + blocks * side;
#pragma omp parallel for schedule(static) if (!serial)
  for (long row = 0; row < blocks; row++)
    for (long column = 0; column < blocks; column++)
      fill_block(row, column);
  for (long i = 0; i < blocks * side; i++)
    vector[i] = random_fraction(-1 - i);
  multiply(vector, product, 0);
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  factor_all();
  double seconds = omp_get_wtime() - begin;
  printf("%ld x %ld blocks of %ld x %ld\n", blocks, blocks, side, side);
  int status = tell(is_right(vector, product), seconds);
  free(vector);
  free(full);
  free(values);
  return status;
}
