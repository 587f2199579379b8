/*===-- cg.c - NAS kernel CG: smallest eigenvalue by conjugate gradients -----===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Estimates an eigenvalue of a large sparse symmetric matrix: irregular access
 * to memory, through indices that are themselves data.
 *
 *   gcc -O3 -fopenmp -DCLASS=W cg.c -o cg -lm
 *
 * The benchmark is CG of the NAS Parallel Benchmarks (Bailey et al., report
 * RNR-94-007, 1994).  The matrix is
 *
 *   A = sum over k < N of RCOND^(k/N) v_k v_k^T  +  (RCOND - SHIFT) I
 *
 * with v_k sparse random vectors.  The inverse power method solves A z = x in each
 * of its iterations by 25 steps of conjugate gradients, takes
 * zeta = SHIFT + 1 / (x . z), and goes on with x = z / |z|.
 */
#include "common.h"

/* The published classes:  rows, random nonzeros of v_k, iterations, shift, zeta. */
#define CLASS_S(pick) pick(1400, 7, 15, 10.0, 8.5971775078648)
#define CLASS_W(pick) pick(7000, 8, 15, 12.0, 10.362595087124)
#define CLASS_A(pick) pick(14000, 11, 15, 20.0, 17.130235054029)
#define CLASS_B(pick) pick(75000, 13, 75, 60.0, 22.712745482631)
#define CLASS_C(pick) pick(150000, 15, 75, 110.0, 28.973605592845)

#define PICK_ROWS(rows, nonzeros, iterations, shift, zeta) rows
#define PICK_NONZEROS(rows, nonzeros, iterations, shift, zeta) nonzeros
#define PICK_ITERATIONS(rows, nonzeros, iterations, shift, zeta) iterations
#define PICK_SHIFT(rows, nonzeros, iterations, shift, zeta) shift
#define PICK_ZETA(rows, nonzeros, iterations, shift, zeta) zeta

#define N CLASS_NAMED(CLASS)(PICK_ROWS)
#define NONZER CLASS_NAMED(CLASS)(PICK_NONZEROS)
#define ITERATIONS CLASS_NAMED(CLASS)(PICK_ITERATIONS)
#define SHIFT CLASS_NAMED(CLASS)(PICK_SHIFT)
#define ZETA CLASS_NAMED(CLASS)(PICK_ZETA)
#define SEED 314159265
#define CG_STEPS 25
#define RCOND 0.1
#define TOLERANCE 1e-10

#define SUPPORT (NONZER + 1)       /* elements of v_k at most: the random ones and its own */
#define NZ (N * SUPPORT * SUPPORT) /* elements of A at most, if no v_k v_k^T share a place */

/* The matrix, by rows: row j has the elements a[k] in the columns colidx[k] for
 * rowstr[j] <= k < rowstr[j + 1]. */
static double a[NZ];
static int colidx[NZ];
static int rowstr[N + 1];

static double x[N];
static double z[N];
static double p[N];
static double q[N];
static double r[N];

/* The random vectors: v_k has the elements v[k][e] in the places place[k][e], e < length[k];
 * member[m] for first[j] <= m < first[j + 1] are the k whose v_k has an element in place j. */
static double v[N][SUPPORT];
static int place[N][SUPPORT];
static int length[N];
static int first[N + 1];
static int member[N * SUPPORT];

static int find_place(int k, int wanted) {
  int e = 0;
  while (e < length[k] && place[k][e] != wanted)
    e++;
  return e;
}

/* Draws NONZER elements in distinct random places.  Places are scaled by a power of two and those
 * beyond the vector discarded, so that they do not depend on rounding. */
static void draw_vector(int k, uint64_t *state) {
  int scale = 1;
  while (scale < N)
    scale *= 2;
  while (length[k] < NONZER) {
    const double value = next_random(state);
    const int drawn = (int)(scale * next_random(state));
    if (drawn < N && find_place(k, drawn) == length[k]) {
      v[k][length[k]] = value;
      place[k][length[k]++] = drawn;
    }
  }
}

/* Sets element k of v_k to 1/2, so that no diagonal element of A is left out. */
static void set_own_element(int k) {
  const int e = find_place(k, k);
  if (e == length[k])
    place[k][length[k]++] = k;
  v[k][e] = 0.5;
}

/* Finds which vectors have an element in each place: a counting sort by place. */
static void list_members(void) {
  for (int k = 0; k < N; k++)
    for (int e = 0; e < length[k]; e++)
      first[place[k][e]]++;
  for (int j = 0; j < N; j++)
    first[j + 1] += first[j];
  for (int k = N - 1; k >= 0; k--)
    for (int e = 0; e < length[k]; e++)
      member[--first[place[k][e]]] = k;
}

/* Adds to an element of the last row so far, which ends before rowstr[row + 1]. */
static void add_to_row(int row, int column, double value) {
  static int slot[N]; /* where the row's element of a column is, plus one; else <= rowstr[row] */
  if (slot[column] <= rowstr[row]) {
    colidx[rowstr[row + 1]] = column;
    slot[column] = ++rowstr[row + 1];
  }
  a[slot[column] - 1] += value;
}

static void make_row(int row) {
  rowstr[row + 1] = rowstr[row];
  add_to_row(row, row, RCOND - SHIFT);
  for (int m = first[row]; m < first[row + 1]; m++) {
    const int k = member[m];
    const double weight = pow(RCOND, (double)k / N) * v[k][find_place(k, row)];
    for (int e = 0; e < length[k]; e++)
      add_to_row(row, place[k][e], weight * v[k][e]);
  }
}

static void make_matrix(void) {
  uint64_t state = SEED;
  next_random(&state); /* the published values leave the first number out */
  for (int k = 0; k < N; k++) {
    draw_vector(k, &state);
    set_own_element(k);
  }
  list_members();
  for (int row = 0; row < N; row++)
    make_row(row);
}

/* Solves A z = x approximately; returns |x - A z|. */
static double conjugate_gradient(void) {
  double rho = 0.0;
#pragma omp parallel for reduction(+ : rho)
  for (int j = 0; j < N; j++) {
    z[j] = 0.0;
    r[j] = x[j];
    p[j] = x[j];
    rho += x[j] * x[j];
  }

  for (int step = 0; step < CG_STEPS; step++) {
    double pq = 0.0;
#pragma omp parallel for reduction(+ : pq)
    for (int j = 0; j < N; j++) {
      double sum = 0.0;
#pragma omp simd reduction(+ : sum)
      for (int k = rowstr[j]; k < rowstr[j + 1]; k++)
        sum += a[k] * p[colidx[k]];
      q[j] = sum;
      pq += p[j] * sum;
    }

    const double alpha = rho / pq;
    const double rho_before = rho;
    rho = 0.0;
#pragma omp parallel for reduction(+ : rho)
    for (int j = 0; j < N; j++) {
      z[j] += alpha * p[j];
      r[j] -= alpha * q[j];
      rho += r[j] * r[j];
    }

    const double beta = rho / rho_before;
#pragma omp parallel for
    for (int j = 0; j < N; j++)
      p[j] = r[j] + beta * p[j];
  }

  double residual = 0.0;
#pragma omp parallel for reduction(+ : residual)
  for (int j = 0; j < N; j++) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int k = rowstr[j]; k < rowstr[j + 1]; k++)
      sum += a[k] * z[colidx[k]];
    residual += (x[j] - sum) * (x[j] - sum);
  }
  return sqrt(residual);
}

static void start_with_ones(void) {
#pragma omp parallel for
  for (int j = 0; j < N; j++)
    x[j] = 1.0;
}

/* One iteration of the inverse power method; returns zeta. */
static double iterate(double *residual) {
  *residual = conjugate_gradient();

  double xz = 0.0;
  double zz = 0.0;
#pragma omp parallel for reduction(+ : xz, zz)
  for (int j = 0; j < N; j++) {
    xz += x[j] * z[j];
    zz += z[j] * z[j];
  }

  const double scale = 1.0 / sqrt(zz);
#pragma omp parallel for
  for (int j = 0; j < N; j++)
    x[j] = scale * z[j];
  return SHIFT + 1.0 / xz;
}

/* The benchmark's count of floating-point operations, in millions.  It takes a row of A to have
 * NONZER (NONZER + 1) elements: 2 ITERATIONS N (3 + row + CG_STEPS (5 + row) + 3). */
static double mega_operations(void) {
  const double row = NONZER * (NONZER + 1);
  return 2e-6 * ITERATIONS * N * (3 + row + CG_STEPS * (5 + row) + 3);
}

int main(int argc, char **argv) {
  refuse_arguments(argc, argv);
  printf(" NAS CG, class %s: %d rows, %d iterations, %d threads\n", NAME_OF(CLASS), N, ITERATIONS,
         omp_get_max_threads());
  make_matrix();
  double residual = 0.0;
  double zeta = 0.0;

  /* One iteration before the clock starts, so that caches and pages are warm. */
  start_with_ones();
  iterate(&residual);

  start_with_ones();
  const double start = omp_get_wtime();
  for (int i = 0; i < ITERATIONS; i++) {
    zeta = iterate(&residual);
    printf(" %4d  |x - A z| %.6e  zeta %.13f\n", i + 1, residual, zeta);
  }
  report_rate(seconds_since(start), mega_operations());
  return conclude(agrees("zeta", zeta, ZETA, TOLERANCE));
}
