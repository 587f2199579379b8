/*===-- mg.c - NAS kernel MG: Poisson's equation by multigrid ------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Solves Poisson's equation approximately on a periodic grid, for twenty point charges: regular
 * stencils over memory, on grids of all sizes.
 *
 *   gcc -O3 -fopenmp -DCLASS=W mg.c -o mg -lm
 *
 * The benchmark is MG of the NAS Parallel Benchmarks (Bailey et al., report RNR-94-007, 1994). Each
 * iteration adds to u the correction that one V-cycle finds for the residual r = v - A u.  The
 * V-cycle takes r down to ever coarser grids, P; on the coarsest it smooths, S; going back up it
 * interpolates the correction, Q, takes the residual that is left, and smooths that.
 *
 * All operators are stencils of the 27 points around one, with a weight for each of the distances:
 * the point itself, the 6 behind its faces, the 12 behind its edges, the 8 behind its corners.
 * Units 1 to n of a grid are its points; units 0 and n + 1 repeat those of the opposite side.
 */
#include "common.h"

/* The published classes:  points in each direction, iterations, weights of the smoother, norm of
 * the residual, how much of it the result may miss.  Class W iterates until nothing but rounding
 * errors is left, which no two machines share: their size is compared. */
#define CLASS_S(pick) pick(32, 4, SMALL, 5.30770700573e-05, 1e-8)
#define CLASS_W(pick) pick(64, 40, SMALL, 2.50391406439e-18, 0.5)
#define CLASS_A(pick) pick(256, 4, SMALL, 2.433365309e-06, 1e-8)
#define CLASS_B(pick) pick(256, 20, LARGE, 1.80056440132e-06, 1e-8)
#define CLASS_C(pick) pick(512, 20, LARGE, 5.70674826298e-07, 1e-8)

#define PICK_POINTS(points, iterations, smoother, norm, tolerance) points
#define PICK_ITERATIONS(points, iterations, smoother, norm, tolerance) iterations
#define PICK_SMOOTHER(points, iterations, smoother, norm, tolerance) smoother
#define PICK_NORM(points, iterations, smoother, norm, tolerance) norm
#define PICK_TOLERANCE(points, iterations, smoother, norm, tolerance) tolerance

#define N CLASS_NAMED(CLASS)(PICK_POINTS)
#define ITERATIONS CLASS_NAMED(CLASS)(PICK_ITERATIONS)
#define SMOOTHER CLASS_NAMED(CLASS)(PICK_SMOOTHER)
#define NORM CLASS_NAMED(CLASS)(PICK_NORM)
#define TOLERANCE CLASS_NAMED(CLASS)(PICK_TOLERANCE)
#define SEED 314159265
#define CHARGES 10 /* of each sign */

/* Weights of the smoother for the point, its faces, its edges and its corners. */
#define SMALL {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0}
#define LARGE {-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0}

/* The charges, the solution and the residual; the last two also on the coarser grids, of N / 2
 * points, N / 4, and so on.  The coarsest has 2 points; grids beyond it stay unused. */
static double v[N + 2][N + 2][N + 2];

static double u0[N + 2][N + 2][N + 2];
static double u1[N / 2 + 2][N / 2 + 2][N / 2 + 2];
static double u2[N / 4 + 2][N / 4 + 2][N / 4 + 2];
static double u3[N / 8 + 2][N / 8 + 2][N / 8 + 2];
static double u4[N / 16 + 2][N / 16 + 2][N / 16 + 2];
static double u5[N / 32 + 2][N / 32 + 2][N / 32 + 2];
static double u6[N / 64 + 2][N / 64 + 2][N / 64 + 2];
static double u7[N / 128 + 2][N / 128 + 2][N / 128 + 2];
static double u8[N / 256 + 2][N / 256 + 2][N / 256 + 2];

static double r0[N + 2][N + 2][N + 2];
static double r1[N / 2 + 2][N / 2 + 2][N / 2 + 2];
static double r2[N / 4 + 2][N / 4 + 2][N / 4 + 2];
static double r3[N / 8 + 2][N / 8 + 2][N / 8 + 2];
static double r4[N / 16 + 2][N / 16 + 2][N / 16 + 2];
static double r5[N / 32 + 2][N / 32 + 2][N / 32 + 2];
static double r6[N / 64 + 2][N / 64 + 2][N / 64 + 2];
static double r7[N / 128 + 2][N / 128 + 2][N / 128 + 2];
static double r8[N / 256 + 2][N / 256 + 2][N / 256 + 2];

/* The grids by level, 0 being the finest: u[level] and r[level] have N >> level points. */
#define LEVELS 9
static void *u[LEVELS];
static void *r[LEVELS];

static void name_levels(void) {
  u[0] = u0, r[0] = r0;
  u[1] = u1, r[1] = r1;
  u[2] = u2, r[2] = r2;
  u[3] = u3, r[3] = r3;
  u[4] = u4, r[4] = r4;
  u[5] = u5, r[5] = r5;
  u[6] = u6, r[6] = r6;
  u[7] = u7, r[7] = r7;
  u[8] = u8, r[8] = r8;
}

/* Repeats the sides of a plane's points on the opposite sides. */
static void wrap_plane(int n, double plane[n + 2][n + 2]) {
  for (int j = 1; j <= n; j++) {
    plane[j][0] = plane[j][n];
    plane[j][n + 1] = plane[j][1];
  }
  for (int i = 0; i <= n + 1; i++) {
    plane[0][i] = plane[n][i];
    plane[n + 1][i] = plane[1][i];
  }
}

/* Repeats the first and the last plane. */
static void wrap_planes(int n, double x[n + 2][n + 2][n + 2]) {
#pragma omp parallel for
  for (int j = 0; j <= n + 1; j++)
    for (int i = 0; i <= n + 1; i++) {
      x[0][j][i] = x[n][j][i];
      x[n + 1][j][i] = x[1][j][i];
    }
}

static void clear(int n, double x[n + 2][n + 2][n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= n; k++)
    for (int j = 0; j <= n + 1; j++)
      for (int i = 0; i <= n + 1; i++)
        x[k][j][i] = 0.0;
  wrap_planes(n, x);
}

/* Applies an operator across a row: at point i it is own[i] + side[i - 1] + side[i + 1]. */
static inline void apply_across(int n, double x[n + 2][n + 2][n + 2], int k, int j,
                                const double weight[4], double own[N + 2], double side[N + 2]) {
#pragma omp simd
  for (int i = 0; i <= n + 1; i++) {
    const double beside = x[k][j - 1][i] + x[k][j + 1][i] + x[k - 1][j][i] + x[k + 1][j][i];
    const double corner =
        x[k - 1][j - 1][i] + x[k - 1][j + 1][i] + x[k + 1][j - 1][i] + x[k + 1][j + 1][i];
    own[i] = weight[0] * x[k][j][i] + weight[1] * beside + weight[2] * corner;
    side[i] = weight[1] * x[k][j][i] + weight[2] * beside + weight[3] * corner;
  }
}

/* left = right - A x; left may be right. */
static void residual(int n, double left[n + 2][n + 2][n + 2], double right[n + 2][n + 2][n + 2],
                     double x[n + 2][n + 2][n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= n; k++) {
    for (int j = 1; j <= n; j++) {
      static const double weight[] = {-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};
      double own[N + 2];
      double side[N + 2];
      apply_across(n, x, k, j, weight, own, side);
#pragma omp simd
      for (int i = 1; i <= n; i++)
        left[k][j][i] = right[k][j][i] - (own[i] + (side[i - 1] + side[i + 1]));
    }
    wrap_plane(n, left[k]);
  }
  wrap_planes(n, left);
}

/* x += S y. */
static void smooth(int n, double x[n + 2][n + 2][n + 2], double y[n + 2][n + 2][n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= n; k++) {
    for (int j = 1; j <= n; j++) {
      static const double weight[] = SMOOTHER;
      double own[N + 2];
      double side[N + 2];
      apply_across(n, y, k, j, weight, own, side);
#pragma omp simd
      for (int i = 1; i <= n; i++)
        x[k][j][i] += own[i] + (side[i - 1] + side[i + 1]);
    }
    wrap_plane(n, x[k]);
  }
  wrap_planes(n, x);
}

/* coarse = P fine: point i of n lies at point 2 i of 2 n. */
static void restrict_to(int n, double coarse[n + 2][n + 2][n + 2],
                        double fine[2 * n + 2][2 * n + 2][2 * n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= n; k++) {
    for (int j = 1; j <= n; j++) {
      static const double weight[] = {1.0 / 2.0, 1.0 / 4.0, 1.0 / 8.0, 1.0 / 16.0};
      double own[N + 2];
      double side[N + 2];
      apply_across(2 * n, fine, 2 * k, 2 * j, weight, own, side);
#pragma omp simd
      for (int i = 1; i <= n; i++)
        coarse[k][j][i] = own[2 * i] + (side[2 * i - 1] + side[2 * i + 1]);
    }
    wrap_plane(n, coarse[k]);
  }
  wrap_planes(n, coarse);
}

/* fine += Q coarse: a point between two, four or eight of the coarse grid gets their mean. */
static void interpolate(int n, double fine[2 * n + 2][2 * n + 2][2 * n + 2],
                        double coarse[n + 2][n + 2][n + 2]) {
#pragma omp parallel for
  for (int k = 1; k <= 2 * n; k++) {
    for (int j = 1; j <= 2 * n; j++) {
      double mean[N + 2];
#pragma omp simd
      for (int i = 0; i <= n; i++)
        mean[i] = 0.25 * (coarse[k / 2][j / 2][i] + coarse[k / 2][(j + 1) / 2][i] +
                          coarse[(k + 1) / 2][j / 2][i] + coarse[(k + 1) / 2][(j + 1) / 2][i]);
#pragma omp simd
      for (int i = 1; i <= n; i++) {
        const int at = 2 * i;
        fine[k][j][at - 1] += 0.5 * (mean[i - 1] + mean[i]);
        fine[k][j][at] += mean[i];
      }
    }
    wrap_plane(2 * n, fine[k]);
  }
  wrap_planes(2 * n, fine);
}

static void v_cycle(void) {
  int level = 0;
  for (; N >> level > 2; level++)
    restrict_to(N >> (level + 1), r[level + 1], r[level]);

  clear(N >> level, u[level]);
  smooth(N >> level, u[level], r[level]);
  while (--level > 0) {
    clear(N >> level, u[level]);
    interpolate(N >> (level + 1), u[level], u[level + 1]);
    residual(N >> level, r[level], r[level], u[level]);
    smooth(N >> level, u[level], r[level]);
  }

  interpolate(N / 2, u0, u1);
  residual(N, r0, v, u0);
  smooth(N, u0, r0);
}

/* The root of the mean square of the finest residual. */
static double norm_of_residual(void) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int k = 1; k <= N; k++)
    for (int j = 1; j <= N; j++)
#pragma omp simd reduction(+ : sum)
      for (int i = 1; i <= N; i++)
        sum += r0[k][j][i] * r0[k][j][i];
  return sqrt(sum / ((double)N * N * N));
}

struct place {
  double value;
  int k, j, i;
};

/* Keeps the places with the largest values in order, the largest first. */
static void keep_largest(struct place largest[CHARGES], struct place place) {
  if (place.value <= largest[CHARGES - 1].value)
    return;
  int at = CHARGES - 1;
  for (; at > 0 && largest[at - 1].value < place.value; at--)
    largest[at] = largest[at - 1];
  largest[at] = place;
}

/* Puts a charge of -1 where ten random numbers are the smallest, and one of 1 where they are the
 * largest. */
static void make_charges(void) {
  struct place smallest[CHARGES] = {0};
  struct place largest[CHARGES] = {0};
  for (int c = 0; c < CHARGES; c++)
    smallest[c].value = -1.0; /* of the numbers' negatives */

  uint64_t state = SEED;
  for (int k = 1; k <= N; k++)
    for (int j = 1; j <= N; j++) {
      fill_random(&v[k][j][1], N, &state);
      for (int i = 1; i <= N; i++) {
        keep_largest(largest, (struct place){v[k][j][i], k, j, i});
        keep_largest(smallest, (struct place){-v[k][j][i], k, j, i});
      }
    }

  clear(N, v);
  for (int c = 0; c < CHARGES; c++) {
    v[smallest[c].k][smallest[c].j][smallest[c].i] = -1.0;
    v[largest[c].k][largest[c].j][largest[c].i] = 1.0;
  }
  for (int k = 1; k <= N; k++)
    wrap_plane(N, v[k]);
  wrap_planes(N, v);
}

static void start_with_zeros(void) {
  clear(N, u0);
  residual(N, r0, v, u0);
}

int main(int argc, char **argv) {
  refuse_arguments(argc, argv);
  printf(" NAS MG, class %s: %d x %d x %d points, %d iterations, %d threads\n", NAME_OF(CLASS), N,
         N, N, ITERATIONS, omp_get_max_threads());
  name_levels();
  make_charges();

  /* One iteration before the clock starts, so that caches and pages are warm. */
  start_with_zeros();
  v_cycle();

  start_with_zeros();
  const double start = omp_get_wtime();
  for (int i = 0; i < ITERATIONS; i++) {
    v_cycle();
    residual(N, r0, v, u0);
  }
  const double norm = norm_of_residual();

  /* The benchmark's count of operations: 58 a point and iteration. */
  report_rate(seconds_since(start), 58e-6 * ITERATIONS * N * N * N);
  return conclude(agrees("norm", norm, NORM, TOLERANCE));
}
