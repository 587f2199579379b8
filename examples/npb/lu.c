/*===-- lu.c - NAS application LU: Navier-Stokes equations by SSOR
------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Takes the compressible Navier-Stokes equations to a steady state by symmetric
 * successive over-relaxation: sweeps through a grid in which a point needs its
 * predecessors.
 *
 *   gcc -O3 -fopenmp -DCLASS=W lu.c -o lu -lm
 *
 * The benchmark is LU of the NAS Parallel Benchmarks (Bailey et al., report
 * RNR-94-007, 1994).  The five unknowns of a point are its density, momentum
 * and energy per volume.  A forcing term makes a given polynomial the steady
 * state: with R(u) = L(u) - L(exact), an iteration solves
 *
 *   (D + w Lower) D^-1 (D + w Upper) du = dt R(u)
 *
 * and adds du / (w (2 - w)) to u.  D, Lower and Upper are the blocks of I - dt
 * dL/du: for the point itself, and for its neighbours before and behind.
 *
 * The sweeps are pipelined: a thread has some planes and goes through their
 * rows j; it begins row j when the thread with the planes before has done it.
 */
#include "common.h"

#include <sched.h>
#include <stdatomic.h>

/* The published classes:  points in each direction, iterations, time step; roots of the mean
 * squares of the residual and of the error, surface integral. */
#define CLASS_S(pick) pick(12, 50, 0.5, RESIDUAL_S, ERROR_S, 7.841892886593708)
#define CLASS_W(pick) pick(33, 300, 0.0015, RESIDUAL_W, ERROR_W, 11.61399311023)
#define CLASS_A(pick) pick(64, 250, 2.0, RESIDUAL_A, ERROR_A, 26.030925604886278)
#define CLASS_B(pick) pick(102, 250, 2.0, RESIDUAL_B, ERROR_B, 47.88716270330823)
#define CLASS_C(pick) pick(162, 250, 2.0, RESIDUAL_C, ERROR_C, 66.64045535721813)

#define PICK_POINTS(points, iterations, dt, residual, error, surface) points
#define PICK_ITERATIONS(points, iterations, dt, residual, error, surface) iterations
#define PICK_DT(points, iterations, dt, residual, error, surface) dt
#define PICK_RESIDUAL(points, iterations, dt, residual, error, surface) residual
#define PICK_ERROR(points, iterations, dt, residual, error, surface) error
#define PICK_SURFACE(points, iterations, dt, residual, error, surface) surface

#define RESIDUAL_S                                                                                 \
  {0.016196343210976703, 0.002197674516482132, 0.0015179927653399185, 0.0015029584435994323,       \
   0.03426407315589646}
#define ERROR_S                                                                                    \
  {0.0006422331995796092, 8.414434204734792e-05, 5.8588269616485187e-05, 5.847422259515735e-05,    \
   0.0013103347914111294}
#define RESIDUAL_W {12.36511638192, 1.317228477799, 2.550120713095, 2.326187750252, 28.26799444189}
#define ERROR_W                                                                                    \
  {0.4867877144216, 0.05064652880982, 0.0928181810196, 0.08570126542733, 1.084277417792}
#define RESIDUAL_A                                                                                 \
  {779.0210760668937, 63.40276525969287, 194.9924972729248, 178.45301160418538, 1838.4760349464248}
#define ERROR_A                                                                                    \
  {29.964085685471943, 2.819457636500335, 7.347341269877474, 6.713922568777705, 70.71531568839258}
#define RESIDUAL_B                                                                                 \
  {3553.2672969982737, 262.1475079531069, 883.3372185095219, 778.1277473942527, 7308.796959254531}
#define ERROR_B                                                                                    \
  {114.01176380212709, 8.109896365542157, 28.480597317698308, 25.90539456783294, 260.54907504857414}
#define RESIDUAL_C                                                                                 \
  {10376.698032353785, 892.2124588010086, 2562.3881458266087, 2191.9434385783143, 17807.80572610612}
#define ERROR_C                                                                                    \
  {215.98639971694928, 15.57895592398636, 54.13188630772078, 48.22626431540454, 455.90291004325036}

#define N CLASS_NAMED(CLASS)(PICK_POINTS)
#define ITERATIONS CLASS_NAMED(CLASS)(PICK_ITERATIONS)
#define DT CLASS_NAMED(CLASS)(PICK_DT)
#define SURFACE CLASS_NAMED(CLASS)(PICK_SURFACE)
#define OMEGA 1.2
#define TOLERANCE 1e-8

static const double published_residual[5] = CLASS_NAMED(CLASS)(PICK_RESIDUAL);
static const double published_error[5] = CLASS_NAMED(CLASS)(PICK_ERROR);

/* The equations' constants, as the benchmark names them. */
#define C1 1.4
#define C2 0.4
#define C34 0.1
#define C1C5 (1.4 * 1.4)
#define C1345 (C34 * C1C5)
#define DISSIPATION 0.25

/* Factors of differences: 1 / (2 h) of first ones, 1 / h^2 of second ones. */
#define FIRST (0.5 * (N - 1))
#define SECOND ((double)(N - 1) * (N - 1))

enum { X, Y, Z };
static const double diffusion[3] = {0.75, 0.75, 1.0};

/* The exact solution's coefficients: of 1, x, y, z, x^2, y^2, z^2, x^3, ... */
static const double coefficient[5][13] = {
    {2.0, 0.0, 0.0, 4.0, 5.0, 3.0, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5.0, 4.0, 3.0, 2.0, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};

/* The unknowns of a row lie one behind the other, that of a point in the place of its x. */
static double u[N][N][5][N];
static double rsd[N][N][5][N]; /* the residual, then the correction */
static double forcing[N][N][5][N];

/* A row's unknowns u and what follows from them: density's inverse, velocity, energy and kinetic
 * energy per mass, pressure. */
struct row {
  double u[5][N];
  double inverse[N];
  double velocity[3][N];
  double energy[N];
  double kinetic[N];
  double pressure[N];
};

static void load_row(struct row *row, double x[5][N]) {
#pragma omp simd
  for (int i = 0; i < N; i++) {
    const double inverse = 1.0 / x[0][i];
    const double vx = inverse * x[1][i];
    const double vy = inverse * x[2][i];
    const double vz = inverse * x[3][i];
    const double kinetic = 0.5 * (vx * vx + vy * vy + vz * vz);
    for (int m = 0; m < 5; m++)
      row->u[m][i] = x[m][i];
    row->inverse[i] = inverse;
    row->velocity[X][i] = vx;
    row->velocity[Y][i] = vy;
    row->velocity[Z][i] = vz;
    row->energy[i] = inverse * x[4][i];
    row->kinetic[i] = kinetic;
    row->pressure[i] = C2 * (x[4][i] - x[0][i] * kinetic);
  }
}

/* Adds the differences of fluxes along an axis: between the rows before and after, or, along x,
 * between the points one before and one after in the same row. */
static inline void add_fluxes(double out[5][N], int axis, const struct row *before,
                              const struct row *here, const struct row *after, int step) {
  for (int m = 0; m < 5; m++) {
#pragma omp simd
    for (int i = 1; i < N - 1; i++)
      out[m][i] += diffusion[axis] * SECOND *
                   (before->u[m][i - step] - 2.0 * here->u[m][i] + after->u[m][i + step]);
  }

#pragma omp simd
  for (int i = 1; i < N - 1; i++)
    out[0][i] -= FIRST * (after->u[1 + axis][i + step] - before->u[1 + axis][i - step]);

  for (int d = X; d <= Z; d++) {
    const double viscosity = C34 * SECOND * (d == axis ? 4.0 / 3.0 : 1.0);
#pragma omp simd
    for (int i = 1; i < N - 1; i++)
      out[1 + d][i] += viscosity * (before->velocity[d][i - step] - 2.0 * here->velocity[d][i] +
                                    after->velocity[d][i + step]) -
                       FIRST * (after->u[1 + d][i + step] * after->velocity[axis][i + step] -
                                before->u[1 + d][i - step] * before->velocity[axis][i - step]);
  }

#pragma omp simd
  for (int i = 1; i < N - 1; i++) {
    const double v_before = before->velocity[axis][i - step];
    const double v_here = here->velocity[axis][i];
    const double v_after = after->velocity[axis][i + step];
    out[1 + axis][i] -= FIRST * (after->pressure[i + step] - before->pressure[i - step]);
    out[4][i] -= FIRST * ((after->u[4][i + step] + after->pressure[i + step]) * v_after -
                          (before->u[4][i - step] + before->pressure[i - step]) * v_before);
    out[4][i] +=
        C34 * SECOND *
        ((1.0 - C1C5) *
             (before->kinetic[i - step] - 2.0 * here->kinetic[i] + after->kinetic[i + step]) +
         1.0 / 6.0 * (v_before * v_before - 2.0 * v_here * v_here + v_after * v_after) +
         C1C5 * (before->energy[i - step] - 2.0 * here->energy[i] + after->energy[i + step]));
  }
}

/* Weights of the fourth difference at a place: at both ends it leaves out what lies on or beyond
 * the border. */
static void weigh(int at, double weight[5]) {
  weight[0] = at > 2 ? 1.0 : 0.0;
  weight[1] = at > 1 ? -4.0 : 0.0;
  weight[2] = at == 1 || at == N - 2 ? 5.0 : 6.0;
  weight[3] = at < N - 2 ? -4.0 : 0.0;
  weight[4] = at < N - 3 ? 1.0 : 0.0;
}

/* Subtracts the fourth difference across rows, of which the outer ones may not exist. */
static void dissipate(double out[5][N], int at, double x0[5][N], double x1[5][N], double x2[5][N],
                      double x3[5][N], double x4[5][N]) {
  double weight[5];
  weigh(at, weight);
  for (int m = 0; m < 5; m++) {
#pragma omp simd
    for (int i = 1; i < N - 1; i++)
      out[m][i] -=
          DISSIPATION * (weight[0] * x0[m][i] + weight[1] * x1[m][i] + weight[2] * x2[m][i] +
                         weight[3] * x3[m][i] + weight[4] * x4[m][i]);
  }
}

/* Subtracts the fourth difference along a row. */
static void dissipate_along(double out[5][N], const struct row *row) {
  for (int m = 0; m < 5; m++) {
    const double *const x = row->u[m];
#pragma omp simd
    for (int i = 3; i < N - 3; i++)
      out[m][i] -=
          DISSIPATION * (x[i - 2] - 4.0 * x[i - 1] + 6.0 * x[i] - 4.0 * x[i + 1] + x[i + 2]);
    out[m][1] -= DISSIPATION * (5.0 * x[1] - 4.0 * x[2] + x[3]);
    out[m][2] -= DISSIPATION * (6.0 * x[2] - 4.0 * (x[1] + x[3]) + x[4]);
    out[m][N - 3] -= DISSIPATION * (6.0 * x[N - 3] - 4.0 * (x[N - 2] + x[N - 4]) + x[N - 5]);
    out[m][N - 2] -= DISSIPATION * (5.0 * x[N - 2] - 4.0 * x[N - 3] + x[N - 4]);
  }
}

/* out = L(u) of a row. */
static void apply_operator(int k, int j, double out[5][N]) {
  struct row here;
  struct row before;
  struct row after;
  for (int m = 0; m < 5; m++)
    for (int i = 0; i < N; i++)
      out[m][i] = 0.0;

  load_row(&here, u[k][j]);
  add_fluxes(out, X, &here, &here, &here, 1);
  dissipate_along(out, &here);

  load_row(&before, u[k][j - 1]);
  load_row(&after, u[k][j + 1]);
  add_fluxes(out, Y, &before, &here, &after, 0);
  dissipate(out, j, u[k][j > 1 ? j - 2 : j], u[k][j - 1], u[k][j], u[k][j + 1],
            u[k][j < N - 2 ? j + 2 : j]);

  load_row(&before, u[k - 1][j]);
  load_row(&after, u[k + 1][j]);
  add_fluxes(out, Z, &before, &here, &after, 0);
  dissipate(out, k, u[k > 1 ? k - 2 : k][j], u[k - 1][j], u[k][j], u[k + 1][j],
            u[k < N - 2 ? k + 2 : k][j]);
}

/* The forcing term, while u is the exact solution. */
static void make_forcing(void) {
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++)
    for (int j = 1; j < N - 1; j++)
      apply_operator(k, j, forcing[k][j]);
}

static void make_residual(void) {
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++)
    for (int j = 1; j < N - 1; j++) {
      double out[5][N];
      apply_operator(k, j, out);
      for (int m = 0; m < 5; m++)
        for (int i = 1; i < N - 1; i++)
          rsd[k][j][m][i] = out[m][i] - forcing[k][j][m][i];
    }
}

/* The unknowns of a point, or changes of them. */
struct unknowns {
  double of[5];
};

/* B x, with the block B that couples a point to its neighbour i of a row: before it along the axis
 * (side -1) or behind (side 1).  n is the direction of the axis, t and s are the others. */
static inline struct unknowns couple(int axis, double side, const struct row *row, int i,
                                     struct unknowns x) {
  const int n = axis;
  const int t = (axis + 1) % 3;
  const int s = (axis + 2) % 3;
  const double vn = row->velocity[n][i];
  const double vt = row->velocity[t][i];
  const double vs = row->velocity[s][i];
  const double energy = row->energy[i];
  const double kinetic = row->kinetic[i];
  const double xn = x.of[1 + n];
  const double xt = x.of[1 + t];
  const double xs = x.of[1 + s];

  /* The derivatives of the fluxes ... */
  const double flow = xn - vn * x.of[0];
  const double pressure = C2 * (kinetic * x.of[0] - vn * xn - vt * xt - vs * xs + x.of[4]);
  const double first = DT * FIRST * side;
  const double f0 = xn;
  const double fn = vn * (flow + xn) + pressure;
  const double ft = vt * flow + vn * xt;
  const double fs = vs * flow + vn * xs;
  const double f4 = (C1 * energy - C2 * kinetic) * flow + vn * (x.of[4] + pressure);

  /* ... and of the viscous terms. */
  const double second = DT * SECOND;
  const double viscous = second * C34 * row->inverse[i];
  const double gn = 4.0 / 3.0 * (xn - vn * x.of[0]);
  const double gt = xt - vt * x.of[0];
  const double gs = xs - vs * x.of[0];
  const double heat =
      C1C5 * (x.of[4] - energy * x.of[0] - vn * (xn - vn * x.of[0]) - vt * gt - vs * gs);
  const double g4 = vn * gn + vt * gt + vs * gs + heat;

  const double keep = second * diffusion[axis];
  struct unknowns y;
  y.of[0] = first * f0 - keep * x.of[0];
  y.of[1 + n] = first * fn - viscous * gn - keep * xn;
  y.of[1 + t] = first * ft - viscous * gt - keep * xt;
  y.of[1 + s] = first * fs - viscous * gs - keep * xs;
  y.of[4] = first * f4 - viscous * g4 - keep * x.of[4];
  return y;
}

/* The block D of each point in a row.  It is lower triangular: a unit, to which the viscous terms
 * add a column for the density and a row for the energy. */
struct diagonal {
  double inverse0;
  double viscous[N]; /* momentum from density: times the velocity */
  double inverse[N]; /* of momentum */
  double work[N];    /* energy from momentum: times the velocity */
  double heat[N];    /* energy from density */
  double inverse4[N];
};

static void make_diagonal(struct diagonal *d, const struct row *row) {
  const double unit = 1.0 + 2.0 * DT * SECOND * (diffusion[X] + diffusion[Y] + diffusion[Z]);
  const double momentum = 10.0 / 3.0 * C34;
  const double energy = 3.0 * C1345;
  d->inverse0 = 1.0 / unit;
#pragma omp simd
  for (int i = 1; i < N - 1; i++) {
    const double second = 2.0 * DT * SECOND * row->inverse[i];
    d->viscous[i] = second * momentum;
    d->inverse[i] = 1.0 / (unit + second * momentum);
    d->work[i] = second * (momentum - energy);
    d->heat[i] = second * (2.0 * (momentum - energy) * row->kinetic[i] + energy * row->energy[i]);
    d->inverse4[i] = 1.0 / (unit + second * energy);
  }
}

/* D^-1 x of a point. */
static inline struct unknowns solve_point(const struct diagonal *d, const struct row *row, int i,
                                          struct unknowns x) {
  const double vx = row->velocity[X][i];
  const double vy = row->velocity[Y][i];
  const double vz = row->velocity[Z][i];
  x.of[0] *= d->inverse0;
  x.of[1] = (x.of[1] + d->viscous[i] * vx * x.of[0]) * d->inverse[i];
  x.of[2] = (x.of[2] + d->viscous[i] * vy * x.of[0]) * d->inverse[i];
  x.of[3] = (x.of[3] + d->viscous[i] * vz * x.of[0]) * d->inverse[i];
  x.of[4] =
      (x.of[4] + d->heat[i] * x.of[0] - d->work[i] * (vx * x.of[1] + vy * x.of[2] + vz * x.of[3])) *
      d->inverse4[i];
  return x;
}

/* Adds to b what the correction x of the neighbouring row contributes. */
static inline void add_coupling(double b[5][N], int axis, double side, const struct row *row,
                                double x[5][N]) {
#pragma omp simd
  for (int i = 1; i < N - 1; i++) {
    const struct unknowns point = {{x[0][i], x[1][i], x[2][i], x[3][i], x[4][i]}};
    const struct unknowns y = couple(axis, side, row, i, point);
    b[0][i] += y.of[0];
    b[1][i] += y.of[1];
    b[2][i] += y.of[2];
    b[3][i] += y.of[3];
    b[4][i] += y.of[4];
  }
}

/* Solves the lower triangular system for a row. */
static void solve_lower(int k, int j) {
  struct row here;
  struct row neighbour;
  struct diagonal diagonal;
  double b[5][N] = {0};
  load_row(&neighbour, u[k - 1][j]);
  add_coupling(b, Z, -1.0, &neighbour, rsd[k - 1][j]);
  load_row(&neighbour, u[k][j - 1]);
  add_coupling(b, Y, -1.0, &neighbour, rsd[k][j - 1]);
  load_row(&here, u[k][j]);
  make_diagonal(&diagonal, &here);

  struct unknowns x = {{0}};
  for (int i = 1; i < N - 1; i++) {
    const struct unknowns y = couple(X, -1.0, &here, i - 1, x);
    for (int m = 0; m < 5; m++)
      x.of[m] = DT * rsd[k][j][m][i] - OMEGA * (b[m][i] + y.of[m]);
    x = solve_point(&diagonal, &here, i, x);
    for (int m = 0; m < 5; m++)
      rsd[k][j][m][i] = x.of[m];
  }
}

/* Solves the upper triangular system for a row. */
static void solve_upper(int k, int j) {
  struct row here;
  struct row neighbour;
  struct diagonal diagonal;
  double b[5][N] = {0};
  load_row(&neighbour, u[k + 1][j]);
  add_coupling(b, Z, 1.0, &neighbour, rsd[k + 1][j]);
  load_row(&neighbour, u[k][j + 1]);
  add_coupling(b, Y, 1.0, &neighbour, rsd[k][j + 1]);
  load_row(&here, u[k][j]);
  make_diagonal(&diagonal, &here);

  struct unknowns x = {{0}};
  for (int i = N - 2; i > 0; i--) {
    struct unknowns y = couple(X, 1.0, &here, i + 1, x);
    for (int m = 0; m < 5; m++)
      y.of[m] = OMEGA * (b[m][i] + y.of[m]);
    y = solve_point(&diagonal, &here, i, y);
    for (int m = 0; m < 5; m++)
      rsd[k][j][m][i] = x.of[m] = rsd[k][j][m][i] - y.of[m];
  }
}

/* How many rows each thread has been through, of all sweeps; each in a line of the cache of its
 * own. */
static struct progress {
  _Alignas(64) atomic_int rows;
} *progress;

static void wait_for(struct progress *other, int rows) {
  while (atomic_load_explicit(&other->rows, memory_order_acquire) < rows)
    sched_yield();
}

static void report_progress(struct progress *own, int rows) {
  atomic_store_explicit(&own->rows, rows, memory_order_release);
}

static void sweep_lower(int rows_before) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    for (int j = 1; j < N - 1; j++) {
      if (thread > 0)
        wait_for(&progress[thread - 1], rows_before + j);
#pragma omp for schedule(static) nowait
      for (int k = 1; k < N - 1; k++)
        solve_lower(k, j);
      report_progress(&progress[thread], rows_before + j);
    }
  }
}

/* Goes back through the planes that the lower sweep gave each thread. */
static void sweep_upper(int rows_before) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    const int last_thread = omp_get_num_threads() - 1;
    int first = 1;
    int last = 0;
#pragma omp for schedule(static) nowait
    for (int k = 1; k < N - 1; k++) {
      if (last == 0)
        first = k;
      last = k;
    }

    for (int j = N - 2; j > 0; j--) {
      if (thread < last_thread)
        wait_for(&progress[thread + 1], rows_before + N - j);
      for (int k = last; k >= first; k--)
        solve_upper(k, j);
      report_progress(&progress[thread], rows_before + N - j);
    }
  }
}

static void add_correction(void) {
  const double factor = 1.0 / (OMEGA * (2.0 - OMEGA));
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++)
    for (int j = 1; j < N - 1; j++)
      for (int m = 0; m < 5; m++)
        for (int i = 1; i < N - 1; i++)
          u[k][j][m][i] += factor * rsd[k][j][m][i];
}

static void iterate(int iterations) {
  for (int thread = 0; thread < omp_get_max_threads(); thread++)
    atomic_init(&progress[thread].rows, 0);
  for (int i = 0; i < iterations; i++) {
    sweep_lower(2 * i * N);
    sweep_upper((2 * i + 1) * N);
    add_correction();
    make_residual();
  }
}

/* The exact solution at a point. */
static void exact(int k, int j, int i, double value[5]) {
  const double place[3] = {(double)i / (N - 1), (double)j / (N - 1), (double)k / (N - 1)};
  for (int m = 0; m < 5; m++) {
    value[m] = coefficient[m][0];
    for (int axis = X; axis <= Z; axis++) {
      const double *const c = &coefficient[m][1 + axis];
      const double x = place[axis];
      value[m] += x * (c[0] + x * (c[3] + x * (c[6] + x * c[9])));
    }
  }
}

static void set_plane_to_exact(int k) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      double value[5];
      exact(k, j, i, value);
      for (int m = 0; m < 5; m++)
        u[k][j][m][i] = value[m];
    }
}

/* The parallel loop runs over the inner planes, as all others do, so that threads keep their
 * planes. */
static void start_with_exact(void) {
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++)
    set_plane_to_exact(k);
  set_plane_to_exact(0);
  set_plane_to_exact(N - 1);
}

/* What lies between the exact values on opposite sides, blended between the three pairs of
 * sides. */
static void blend(int k, int j, int i, double value[5]) {
  const double x = (double)i / (N - 1);
  const double y = (double)j / (N - 1);
  const double z = (double)k / (N - 1);
  double side[6][5];
  exact(k, j, 0, side[0]);
  exact(k, j, N - 1, side[1]);
  exact(k, 0, i, side[2]);
  exact(k, N - 1, i, side[3]);
  exact(0, j, i, side[4]);
  exact(N - 1, j, i, side[5]);
  for (int m = 0; m < 5; m++) {
    const double px = (1.0 - x) * side[0][m] + x * side[1][m];
    const double py = (1.0 - y) * side[2][m] + y * side[3][m];
    const double pz = (1.0 - z) * side[4][m] + z * side[5][m];
    value[m] = px + py + pz - px * py - py * pz - pz * px + px * py * pz;
  }
}

static void start_blended(void) {
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++)
    for (int j = 1; j < N - 1; j++)
      for (int i = 1; i < N - 1; i++) {
        double value[5];
        blend(k, j, i, value);
        for (int m = 0; m < 5; m++)
          u[k][j][m][i] = value[m];
      }
}

/* The exact solution remains on the border. */
static void start(void) {
  start_with_exact();
  make_forcing();
  start_blended();
  make_residual();
}

static void norm_of_residual(double norm[5]) {
  for (int m = 0; m < 5; m++) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = 1; k < N - 1; k++)
      for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N - 1; i++)
          sum += rsd[k][j][m][i] * rsd[k][j][m][i];
    norm[m] = sqrt(sum / ((double)(N - 2) * (N - 2) * (N - 2)));
  }
}

static void norm_of_error(double norm[5]) {
  double sum[5] = {0};
#pragma omp parallel for reduction(+ : sum)
  for (int k = 1; k < N - 1; k++)
    for (int j = 1; j < N - 1; j++)
      for (int i = 1; i < N - 1; i++) {
        double value[5];
        exact(k, j, i, value);
        for (int m = 0; m < 5; m++)
          sum[m] += (value[m] - u[k][j][m][i]) * (value[m] - u[k][j][m][i]);
      }
  for (int m = 0; m < 5; m++)
    norm[m] = sqrt(sum[m] / ((double)(N - 2) * (N - 2) * (N - 2)));
}

static double pressure(int k, int j, int i) {
  const double square =
      u[k][j][1][i] * u[k][j][1][i] + u[k][j][2][i] * u[k][j][2][i] + u[k][j][3][i] * u[k][j][3][i];
  return C2 * (u[k][j][4][i] - 0.5 * square / u[k][j][0][i]);
}

/* The pressure on the sides of a box in the grid, by the trapezoidal rule. */
static double surface_integral(void) {
  const int x0 = 1, x1 = N - 2, y0 = 1, y1 = N - 3, z0 = 2, z1 = N - 2;
  double sum = 0.0;
  for (int j = y0; j < y1; j++)
    for (int i = x0; i < x1; i++)
      sum += pressure(z0, j, i) + pressure(z0, j, i + 1) + pressure(z0, j + 1, i) +
             pressure(z0, j + 1, i + 1) + pressure(z1, j, i) + pressure(z1, j, i + 1) +
             pressure(z1, j + 1, i) + pressure(z1, j + 1, i + 1);
  for (int k = z0; k < z1; k++)
    for (int i = x0; i < x1; i++)
      sum += pressure(k, y0, i) + pressure(k, y0, i + 1) + pressure(k + 1, y0, i) +
             pressure(k + 1, y0, i + 1) + pressure(k, y1, i) + pressure(k, y1, i + 1) +
             pressure(k + 1, y1, i) + pressure(k + 1, y1, i + 1);
  for (int k = z0; k < z1; k++)
    for (int j = y0; j < y1; j++)
      sum += pressure(k, j, x0) + pressure(k, j + 1, x0) + pressure(k + 1, j, x0) +
             pressure(k + 1, j + 1, x0) + pressure(k, j, x1) + pressure(k, j + 1, x1) +
             pressure(k + 1, j, x1) + pressure(k + 1, j + 1, x1);
  return 0.25 * sum / ((double)(N - 1) * (N - 1));
}

/* The benchmark's count of floating-point operations, in millions. */
static double mega_operations(void) {
  const double n = N;
  return 1e-6 * ITERATIONS * (1984.77 * n * n * n - 10923.3 * n * n + 27770.9 * n - 144010.0);
}

static bool check_norms(const char *what, const double norm[5], const double published[5]) {
  bool verified = true;
  for (int m = 0; m < 5; m++) {
    char name[16];
    snprintf(name, sizeof name, "%s %d", what, m + 1);
    verified &= agrees(name, norm[m], published[m], TOLERANCE);
  }
  return verified;
}

static bool check_result(void) {
  double residual[5];
  double error[5];
  norm_of_residual(residual);
  norm_of_error(error);
  bool verified = check_norms("residual", residual, published_residual);
  verified &= check_norms("error", error, published_error);
  verified &= agrees("surface", surface_integral(), SURFACE, TOLERANCE);
  return verified;
}

int main(int argc, char **argv) {
  refuse_arguments(argc, argv);
  printf(" NAS LU, class %s: %d x %d x %d points, %d iterations, %d threads\n", NAME_OF(CLASS), N,
         N, N, ITERATIONS, omp_get_max_threads());
  progress = aligned_alloc(64, (size_t)omp_get_max_threads() * sizeof *progress);
  if (!progress) {
    perror(argv[0]);
    return 2;
  }

  /* One iteration before the clock starts, so that caches and pages are warm.
   */
  start();
  iterate(1);

  start();
  const double begin = omp_get_wtime();
  iterate(ITERATIONS);
  report_rate(seconds_since(begin), mega_operations());
  const bool verified = check_result();
  free(progress);
  return conclude(verified);
}
