/*===-- kernels.c - the least that each NAS kernel has to do ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: kernels cg ROWS NONZEROS ITERATIONS
 *        kernels ep M
 *        kernels ft NX NY NZ ITERATIONS
 *        kernels lu POINTS ITERATIONS
 *        kernels mg POINTS ITERATIONS
 * Prints the seconds that the part of the kernel takes which its algorithm cannot do without, done
 * in the plainest way that the machine and the compiler know: memory is streamed through once for
 * each time that an operator must, what is computed is computed in straight loops, mostly in the
 * first cache.  The results mean nothing.
 */
#include "common.h"

#include <string.h>

#ifdef WITH_FFTW
#include <fftw3.h>
#endif

/* Where results go that nothing else needs. */
static volatile double sink;

static void *allocate(size_t count, size_t size) {
  void *memory = count > SIZE_MAX / size ? NULL : malloc(count * size);
  if (!memory) {
    perror("kernels");
    exit(2);
  }
  return memory;
}

/* An array of ones, touched by the threads that will use it. */
static double *ones(size_t count) {
  double *const x = allocate(count, sizeof *x);
#pragma omp parallel for
  for (size_t i = 0; i < count; i++)
    x[i] = 1.0;
  return x;
}

/* CG: the products a[k] p[colidx[k]], with random columns, in one long loop instead of by rows; and
 * the updates of vectors. */

struct sparse {
  int rows;
  int elements;
  double *a;
  int *column;
  double *p, *q, *r, *z;
};

static struct sparse make_sparse(int rows, int nonzeros) {
  struct sparse s = {.rows = rows, .elements = rows * nonzeros * (nonzeros + 1)};
  s.a = ones((size_t)s.elements);
  s.column = allocate((size_t)s.elements, sizeof *s.column);
  s.p = ones((size_t)rows);
  s.q = ones((size_t)rows);
  s.r = ones((size_t)rows);
  s.z = ones((size_t)rows);
  uint64_t state = 314159265;
  for (int k = 0; k < s.elements; k++)
    s.column[k] = (int)(rows * next_random(&state));
  return s;
}

static double multiply_sparse(const struct sparse *s) {
  const double *const a = s->a;
  const double *const p = s->p;
  const int *const column = s->column;
  double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int k = 0; k < s->elements; k++)
    sum += a[k] * p[column[k]];
  return sum;
}

static double update_vectors(const struct sparse *s) {
  double *const p = s->p;
  double *const r = s->r;
  double *const z = s->z;
  const double *const q = s->q;
  double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int j = 0; j < s->rows; j++) {
    z[j] += 1e-9 * p[j];
    r[j] -= 1e-9 * q[j];
    sum += r[j] * r[j];
  }
#pragma omp parallel for simd
  for (int j = 0; j < s->rows; j++)
    p[j] = r[j] + 1e-9 * p[j];
  return sum;
}

static double time_cg(const int *size) {
  const struct sparse s = make_sparse(size[0], size[1]);
  sink = multiply_sparse(&s);
  const double start = omp_get_wtime();
  for (int i = 0; i < size[2]; i++) {
    for (int step = 0; step < 25; step++)
      sink = multiply_sparse(&s) + update_vectors(&s);
    sink = multiply_sparse(&s);
  }
  return seconds_since(start);
}

/* EP: all random numbers and squares; logarithm, division and root for as many pairs as lie in the
 * circle, without finding out which do, and without counting them. */

enum { BATCH = 1024, IN_CIRCLE = 804 /* pi / 4 of them */ };

static double transform_pairs(const double *uniform) {
  double x[BATCH];
  double y[BATCH];
  double t[BATCH];
#pragma omp simd
  for (int i = 0; i < BATCH; i++) {
    x[i] = 2.0 * uniform[2 * i] - 1.0;
    y[i] = 2.0 * uniform[2 * i + 1] - 1.0;
    t[i] = 0.5 * (x[i] * x[i] + y[i] * y[i]);
  }
  for (int i = 0; i < IN_CIRCLE; i++) {
    const double factor = sqrt(-2.0 * log(t[i]) / t[i]);
    x[i] *= factor;
    y[i] *= factor;
  }
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < IN_CIRCLE; i++)
    sum += x[i] + y[i];
  return sum;
}

static double time_ep(const int *size) {
  double sum = 0.0;
  const double start = omp_get_wtime();
#pragma omp parallel for reduction(+ : sum)
  for (int64_t batch = 0; batch < (INT64_C(1) << size[0]) / BATCH; batch++) {
    double uniform[2 * BATCH];
    uint64_t state = skip_random(271828183, UINT64_C(2) * BATCH * (uint64_t)batch);
    fill_random(uniform, 2 * BATCH, &state);
    sum += transform_pairs(uniform);
  }
  sink = sum;
  return seconds_since(start);
}

/* FT: FFTW's transforms, the random numbers by one thread, the evolution streamed through. */

#ifdef WITH_FFTW
static fftw_complex *complex_ones(size_t points) { return (fftw_complex *)ones(2 * points); }

static void evolve(size_t points, fftw_complex *u0, const double *decay, fftw_complex *u1) {
#pragma omp parallel for
  for (size_t i = 0; i < points; i++) {
    u1[i][0] = u0[i][0] *= decay[i];
    u1[i][1] = u0[i][1] *= decay[i];
  }
}

static double time_ft(const int *size) {
  const size_t points = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
  fftw_complex *const u0 = complex_ones(points);
  fftw_complex *const u1 = complex_ones(points);
  double *const decay = ones(points);
  fftw_init_threads();
  fftw_plan_with_nthreads(omp_get_max_threads());
  const fftw_plan plan =
      fftw_plan_dft_3d(size[2], size[1], size[0], u1, u1, FFTW_BACKWARD, FFTW_MEASURE);
  fftw_execute(plan);

  const double start = omp_get_wtime();
  uint64_t state = 314159265;
  for (size_t i = 0; i < points; i += (size_t)size[0])
    fill_random(u1[i], 2 * size[0], &state);
  fftw_execute(plan);
  for (int t = 0; t < size[3]; t++) {
    evolve(points, u0, decay, u1);
    fftw_execute(plan);
  }
  return seconds_since(start);
}
#endif

/* LU: an iteration's arithmetic at the rate of straight loops over rows in the first cache; the two
 * recurrences along each row, with blocks of 5 x 5 that are ready; its arrays streamed through. */

enum {
  ROW = 64,
  UNKNOWNS = 5,
  FLOPS_OF_PASS = 80,
  /* What lu.c computes for a point in an iteration: in each of the two sweeps two couplings to
   * rows, what follows from four points' unknowns, a row's equations; the fluxes and fourth
   * differences along three axes, and what follows from three rows. */
  FLOPS = 2 * (2 * 62 + 4 * 10 + 140) + 3 * (75 + 40) + 3 * 14
};

/* 10 operations on each of eight values, and a division. */
static void compute_row(double *restrict y, const double *restrict x) {
#pragma omp simd
  for (int i = 0; i < ROW; i++) {
    double a = x[i], b = a + 1.0, c = a + 2.0, d = a + 3.0, e = a + 4.0, f = a + 5.0, g = a + 6.0,
           h = 1.0 / (a + 7.0);
    for (int step = 0; step < 5; step++) {
      a = 0.5 * a + 0.1;
      b = 0.5 * b + 0.2;
      c = 0.5 * c + 0.3;
      d = 0.5 * d + 0.4;
      e = 0.5 * e + 0.5;
      f = 0.5 * f + 0.6;
      g = 0.5 * g + 0.7;
      h = 0.5 * h + 0.8;
    }
    y[i] = ((a + b) + (c + d)) + ((e + f) + (g + h));
  }
}

struct recurrence {
  double m[UNKNOWNS][UNKNOWNS][ROW];
  double c[UNKNOWNS][ROW];
};

static void solve_row(const struct recurrence *r, int points, double x[UNKNOWNS]) {
  for (int i = 0; i < points; i++) {
    double y[UNKNOWNS];
    for (int m = 0; m < UNKNOWNS; m++)
      y[m] = r->c[m][i % ROW] + r->m[m][0][i % ROW] * x[0] + r->m[m][1][i % ROW] * x[1] +
             (r->m[m][2][i % ROW] * x[2] + r->m[m][3][i % ROW] * x[3] + r->m[m][4][i % ROW] * x[4]);
    for (int m = 0; m < UNKNOWNS; m++)
      x[m] = y[m];
  }
}

/* Arithmetic of so many points; returns something of its results, which are others for each seed.
 */
static double compute_points(int points, int seed) {
  struct recurrence r = {{{{0.0}}}, {{0.0}}};
  double x[ROW] = {0.0};
  double y[ROW] = {0.0};
  double unknowns[UNKNOWNS] = {seed, 2.0, 3.0, 4.0, 5.0};
  x[seed % ROW] = 1.0;
  const int passes = points / ROW * FLOPS / FLOPS_OF_PASS;
  for (int pass = 0; pass < passes; pass++)
    compute_row(pass % 2 == 0 ? x : y, pass % 2 == 0 ? y : x);
  solve_row(&r, 2 * points, unknowns);
  return x[0] + unknowns[0];
}

static void stream_lu(size_t count, double *restrict u, double *restrict rsd,
                      const double *restrict forcing) {
  for (int sweep = 0; sweep < 2; sweep++)
#pragma omp parallel for simd
    for (size_t i = 0; i < count; i++)
      rsd[i] = 0.5 * rsd[i] + u[i];
#pragma omp parallel for simd
  for (size_t i = 0; i < count; i++)
    u[i] += 1e-9 * rsd[i];
#pragma omp parallel for simd
  for (size_t i = 0; i < count; i++)
    rsd[i] = u[i] - forcing[i];
}

static double time_lu(const int *size) {
  const int n = size[0];
  const size_t count = (size_t)UNKNOWNS * (size_t)n * (size_t)n * (size_t)n;
  double *const u = ones(count);
  double *const rsd = ones(count);
  double *const forcing = ones(count);
  stream_lu(count, u, rsd, forcing);

  const double start = omp_get_wtime();
  double sum = 0.0;
  for (int i = 0; i < size[1]; i++) {
    stream_lu(count, u, rsd, forcing);
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < n - 2; k++)
      sum += compute_points((n - 2) * (n - 2), k);
  }
  sink = sum;
  return seconds_since(start);
}

/* MG: every operator streams once through the arrays that it reads and writes, of all levels; a
 * point of the coarser grid goes with eight of the finer one.  And the residuals' and the
 * smoother's stencils of 27 points for as many rows, which are in the first cache: what a core does
 * there it does not do while it waits for memory. */

enum { LONGEST = 128 };

static void apply_stencil(double rows[3][3][LONGEST + 2], double out[LONGEST + 2]) {
  double beside[LONGEST + 2];
  double corner[LONGEST + 2];
#pragma omp simd
  for (int i = 0; i < LONGEST + 2; i++) {
    beside[i] = rows[0][1][i] + rows[2][1][i] + rows[1][0][i] + rows[1][2][i];
    corner[i] = rows[0][0][i] + rows[0][2][i] + rows[2][0][i] + rows[2][2][i];
  }
#pragma omp simd
  for (int i = 1; i <= LONGEST; i++)
    out[i] = out[i] + 0.5 * rows[1][1][i] - 0.2 * (corner[i] + beside[i - 1] + beside[i + 1]) -
             0.1 * (corner[i - 1] + corner[i + 1]);
}

static double apply_stencils(size_t points) {
  double sum = 0.0;
#pragma omp parallel reduction(+ : sum)
  {
    double rows[3][3][LONGEST + 2] = {{{0.0}}};
    double out[LONGEST + 2] = {0.0};
#pragma omp for
    for (size_t i = 0; i < points / LONGEST; i++) {
      rows[1][1][i % LONGEST] += 1.0;
      apply_stencil(rows, out);
    }
    sum += out[1];
  }
  return sum;
}

static double *level_of_ones(int n) {
  return ones((size_t)(n + 2) * (size_t)(n + 2) * (size_t)(n + 2));
}

static size_t points_of(int n) { return (size_t)n * (size_t)n * (size_t)n; }

static void stream_restrict(int n, double *restrict coarse, const double *restrict fine) {
  const size_t m = points_of(n);
#pragma omp parallel for simd
  for (size_t i = 0; i < m; i++)
    coarse[i] = fine[i] + fine[i + m] + fine[i + 2 * m] + fine[i + 3 * m] + fine[i + 4 * m] +
                fine[i + 5 * m] + fine[i + 6 * m] + fine[i + 7 * m];
}

static void stream_interpolate(int n, double *restrict fine, const double *restrict coarse) {
  const size_t m = points_of(n);
  for (int part = 0; part < 8; part++)
#pragma omp parallel for simd
    for (size_t i = 0; i < m; i++)
      fine[(size_t)part * m + i] += 1e-9 * coarse[i];
}

static void stream_set(int n, double *restrict fine, const double *restrict coarse) {
  const size_t m = points_of(n);
  for (int part = 0; part < 8; part++)
#pragma omp parallel for simd
    for (size_t i = 0; i < m; i++)
      fine[(size_t)part * m + i] = coarse[i];
}

static void stream_residual(int n, double *left, const double *right, const double *x) {
#pragma omp parallel for simd
  for (size_t i = 0; i < points_of(n); i++)
    left[i] = right[i] - 1e-9 * x[i];
}

static void stream_smooth(int n, double *restrict x, const double *restrict y) {
#pragma omp parallel for simd
  for (size_t i = 0; i < points_of(n); i++)
    x[i] += 1e-9 * y[i];
}

enum { MOST_LEVELS = 16 };

static void stream_cycle(int n, int levels, double *v, double *u[], double *r[]) {
  for (int l = 0; l + 1 < levels; l++)
    stream_restrict(n >> (l + 1), r[l + 1], r[l]);
  for (int l = levels - 2; l > 0; l--) {
    stream_set(n >> (l + 1), u[l], u[l + 1]);
    stream_residual(n >> l, r[l], r[l], u[l]);
    stream_smooth(n >> l, u[l], r[l]);
  }
  stream_interpolate(n / 2, u[0], u[1]);
  stream_residual(n, r[0], v, u[0]);
  stream_smooth(n, u[0], r[0]);
}

static double time_mg(const int *size) {
  const int n = size[0];
  double *const v = level_of_ones(n);
  double *u[MOST_LEVELS];
  double *r[MOST_LEVELS];
  int levels = 0;
  for (; n >> levels > 1; levels++) {
    u[levels] = level_of_ones(n >> levels);
    r[levels] = level_of_ones(n >> levels);
  }
  stream_cycle(n, levels, v, u, r);

  const double start = omp_get_wtime();
  for (int i = 0; i < size[1]; i++) {
    stream_cycle(n, levels, v, u, r);
    stream_residual(n, r[0], v, u[0]);
    for (int l = 0; l + 1 < levels; l++)
      sink = apply_stencils((l == 0 ? 3 : 2) * points_of(n >> l));
  }
  return seconds_since(start);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int numbers;
    double (*seconds)(const int *size);
  } kernel[] = {
      {"cg", 3, time_cg}, {"ep", 1, time_ep}, {"lu", 2, time_lu}, {"mg", 2, time_mg},
#ifdef WITH_FFTW
      {"ft", 4, time_ft},
#endif
  };
  int size[4] = {0};
  for (int i = 2; i < argc && i < 6; i++)
    size[i - 2] = atoi(argv[i]);
  for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++)
    if (argc == kernel[k].numbers + 2 && strcmp(argv[1], kernel[k].name) == 0) {
      printf("%.6f\n", kernel[k].seconds(size));
      return 0;
    }
  fprintf(stderr, "kernels: expected a kernel and its sizes, see the top of bench/kernels.c\n");
  return 2;
}
