/*===-- lu.c - NAS application LU: Navier-Stokes equations by SSOR ------------===*\
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

/* A row's unknowns u and what follows from them: velocity, energy and kinetic energy per mass,
 * pressure. */
struct row {
  double u[5][N];
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
    row->u[0][i] = x[0][i];
    row->u[1][i] = x[1][i];
    row->u[2][i] = x[2][i];
    row->u[3][i] = x[3][i];
    row->u[4][i] = x[4][i];
    row->velocity[X][i] = vx;
    row->velocity[Y][i] = vy;
    row->velocity[Z][i] = vz;
    row->energy[i] = inverse * x[4][i];
    row->kinetic[i] = kinetic;
    row->pressure[i] = C2 * (x[4][i] - x[0][i] * kinetic);
  }
}

static inline double second_difference(double before, double here, double after) {
  return before - 2.0 * here + after;
}

/* Adds the differences of fluxes along an axis: between the rows before and after, or, along x,
 * between the points one before and one after in the same row.  n is the direction of the axis, t
 * and s are the others. */
static inline void add_fluxes(double out[5][N], int axis, const struct row *before,
                              const struct row *here, const struct row *after, int step) {
  const int n = axis;
  const int t = (axis + 1) % 3;
  const int s = (axis + 2) % 3;
  const double keep = diffusion[axis] * SECOND;
  const double viscous = C34 * SECOND;
#pragma omp simd
  for (int i = 1; i < N - 1; i++) {
    const int b = i - step;
    const int a = i + step;
    const double vn_before = before->velocity[n][b];
    const double vn_here = here->velocity[n][i];
    const double vn_after = after->velocity[n][a];
    const double p_before = before->pressure[b];
    const double p_after = after->pressure[a];

    const double flow0 = after->u[1 + n][a] - before->u[1 + n][b];
    const double flow_n =
        after->u[1 + n][a] * vn_after + p_after - (before->u[1 + n][b] * vn_before + p_before);
    const double flow_t = after->u[1 + t][a] * vn_after - before->u[1 + t][b] * vn_before;
    const double flow_s = after->u[1 + s][a] * vn_after - before->u[1 + s][b] * vn_before;
    const double flow4 =
        (after->u[4][a] + p_after) * vn_after - (before->u[4][b] + p_before) * vn_before;

    const double drag_n = second_difference(vn_before, vn_here, vn_after);
    const double drag_t =
        second_difference(before->velocity[t][b], here->velocity[t][i], after->velocity[t][a]);
    const double drag_s =
        second_difference(before->velocity[s][b], here->velocity[s][i], after->velocity[s][a]);
    const double heat =
        (1.0 - C1C5) * second_difference(before->kinetic[b], here->kinetic[i], after->kinetic[a]) +
        1.0 / 6.0 *
            second_difference(vn_before * vn_before, vn_here * vn_here, vn_after * vn_after) +
        C1C5 * second_difference(before->energy[b], here->energy[i], after->energy[a]);

    out[0][i] +=
        keep * second_difference(before->u[0][b], here->u[0][i], after->u[0][a]) - FIRST * flow0;
    out[1 + n][i] +=
        keep * second_difference(before->u[1 + n][b], here->u[1 + n][i], after->u[1 + n][a]) -
        FIRST * flow_n + 4.0 / 3.0 * viscous * drag_n;
    out[1 + t][i] +=
        keep * second_difference(before->u[1 + t][b], here->u[1 + t][i], after->u[1 + t][a]) -
        FIRST * flow_t + viscous * drag_t;
    out[1 + s][i] +=
        keep * second_difference(before->u[1 + s][b], here->u[1 + s][i], after->u[1 + s][a]) -
        FIRST * flow_s + viscous * drag_s;
    out[4][i] += keep * second_difference(before->u[4][b], here->u[4][i], after->u[4][a]) -
                 FIRST * flow4 + viscous * heat;
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

/* Adds L(u) of a row, which lies between two others of its plane. */
static void add_operator(int k, int j, const struct row *before, const struct row *here,
                         const struct row *after, double out[5][N]) {
  add_fluxes(out, X, here, here, here, 1);
  dissipate_along(out, here);

  add_fluxes(out, Y, before, here, after, 0);
  dissipate(out, j, u[k][j > 1 ? j - 2 : j], u[k][j - 1], u[k][j], u[k][j + 1],
            u[k][j < N - 2 ? j + 2 : j]);

  struct row below;
  struct row above;
  load_row(&below, u[k - 1][j]);
  load_row(&above, u[k + 1][j]);
  add_fluxes(out, Z, &below, here, &above, 0);
  dissipate(out, k, u[k > 1 ? k - 2 : k][j], u[k - 1][j], u[k][j], u[k + 1][j],
            u[k < N - 2 ? k + 2 : k][j]);
}

/* Adds L(u) of a plane. */
static void add_operator_to_plane(int k, double out[N][5][N]) {
  struct row row[3]; /* row j is in place j % 3 */
  load_row(&row[0], u[k][0]);
  load_row(&row[1], u[k][1]);
  for (int j = 1; j < N - 1; j++) {
    load_row(&row[(j + 1) % 3], u[k][j + 1]);
    add_operator(k, j, &row[(j - 1) % 3], &row[j % 3], &row[(j + 1) % 3], out[j]);
  }
}

/* The forcing term, while u is the exact solution. */
static void make_forcing(void) {
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++) {
    for (int j = 1; j < N - 1; j++)
      for (int m = 0; m < 5; m++)
        for (int i = 0; i < N; i++)
          forcing[k][j][m][i] = 0.0;
    add_operator_to_plane(k, forcing[k]);
  }
}

static void make_residual(void) {
#pragma omp parallel for
  for (int k = 1; k < N - 1; k++) {
    for (int j = 1; j < N - 1; j++)
      for (int m = 0; m < 5; m++)
        for (int i = 1; i < N - 1; i++)
          rsd[k][j][m][i] = -forcing[k][j][m][i];
    add_operator_to_plane(k, rsd[k]);
  }
}

/* The unknowns of a point, or changes of them. */
struct unknowns {
  double of[5];
};

/* What follows from a point's unknowns: density's inverse, velocity, energy and kinetic energy per
 * mass. */
struct point {
  double inverse, vx, vy, vz, energy, kinetic;
};

static inline struct point point_of(double x[5][N], int i) {
  struct point p;
  p.inverse = 1.0 / x[0][i];
  p.vx = p.inverse * x[1][i];
  p.vy = p.inverse * x[2][i];
  p.vz = p.inverse * x[3][i];
  p.energy = p.inverse * x[4][i];
  p.kinetic = 0.5 * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
  return p;
}

/* B x, with the block B that couples a point to its neighbour before it along the axis (side -1) or
 * behind (side 1).  n is the direction of the axis, t and s are the others. */
static inline struct unknowns couple(int axis, double side, struct point neighbour,
                                     struct unknowns x) {
  const int n = axis;
  const int t = (axis + 1) % 3;
  const int s = (axis + 2) % 3;
  const double velocity[3] = {neighbour.vx, neighbour.vy, neighbour.vz};
  const double vn = velocity[n];
  const double vt = velocity[t];
  const double vs = velocity[s];
  const double energy = neighbour.energy;
  const double kinetic = neighbour.kinetic;
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
  const double viscous = second * C34 * neighbour.inverse;
  const double gn = 4.0 / 3.0 * flow;
  const double gt = xt - vt * x.of[0];
  const double gs = xs - vs * x.of[0];
  const double heat = C1C5 * (x.of[4] - energy * x.of[0] - vn * flow - vt * gt - vs * gs);
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

/* The block D of a point.  It is lower triangular: a unit, to which the viscous terms add a column
 * for the density and a row for the energy. */
struct diagonal {
  double inverse0;
  double viscous; /* momentum from density: times the velocity */
  double inverse; /* of momentum */
  double work;    /* energy from momentum: times the velocity */
  double heat;    /* energy from density */
  double inverse4;
};

static inline struct diagonal diagonal_of(struct point p) {
  const double unit = 1.0 + 2.0 * DT * SECOND * (diffusion[X] + diffusion[Y] + diffusion[Z]);
  const double momentum = 10.0 / 3.0 * C34;
  const double energy = 3.0 * C1345;
  const double second = 2.0 * DT * SECOND * p.inverse;
  struct diagonal d;
  d.inverse0 = 1.0 / unit;
  d.viscous = second * momentum;
  d.inverse = 1.0 / (unit + second * momentum);
  d.work = second * (momentum - energy);
  d.heat = second * (2.0 * (momentum - energy) * p.kinetic + energy * p.energy);
  d.inverse4 = 1.0 / (unit + second * energy);
  return d;
}

/* D^-1 x */
static inline struct unknowns solve_point(struct diagonal d, struct point p, struct unknowns x) {
  x.of[0] *= d.inverse0;
  x.of[1] = (x.of[1] + d.viscous * p.vx * x.of[0]) * d.inverse;
  x.of[2] = (x.of[2] + d.viscous * p.vy * x.of[0]) * d.inverse;
  x.of[3] = (x.of[3] + d.viscous * p.vz * x.of[0]) * d.inverse;
  x.of[4] =
      (x.of[4] + d.heat * x.of[0] - d.work * (p.vx * x.of[1] + p.vy * x.of[2] + p.vz * x.of[3])) *
      d.inverse4;
  return x;
}

/* A row's equations x[i] = c[i] + M[i] x[i + side], along the row.  Of a block M, elements 0 2,
 * 0 3, 0 4, 2 3, 2 4, 3 2 and 3 4 are zero. */
struct equations {
  double c[5][N];
  double m[5][5][N];
};

/* right = - w times what the corrections x of the neighbouring rows contribute. */
static inline void couple_rows(double right[5][N], double side, double u_z[5][N], double x_z[5][N],
                               double u_y[5][N], double x_y[5][N]) {
#pragma omp simd
  for (int i = 1; i < N - 1; i++) {
    const struct unknowns z = {{x_z[0][i], x_z[1][i], x_z[2][i], x_z[3][i], x_z[4][i]}};
    const struct unknowns y = {{x_y[0][i], x_y[1][i], x_y[2][i], x_y[3][i], x_y[4][i]}};
    const struct unknowns from_z = couple(Z, side, point_of(u_z, i), z);
    const struct unknowns from_y = couple(Y, side, point_of(u_y, i), y);
    right[0][i] = -OMEGA * (from_z.of[0] + from_y.of[0]);
    right[1][i] = -OMEGA * (from_z.of[1] + from_y.of[1]);
    right[2][i] = -OMEGA * (from_z.of[2] + from_y.of[2]);
    right[3][i] = -OMEGA * (from_z.of[3] + from_y.of[3]);
    right[4][i] = -OMEGA * (from_z.of[4] + from_y.of[4]);
  }
}

/* c = D^-1 right, and M = - w D^-1 B, B being the block that couples a point to its neighbour in
 * the row. */
static inline void make_equations(struct equations *e, double side, double x[5][N],
                                  double right[5][N]) {
  const double first = -OMEGA * DT * FIRST * side;
  const double second = -OMEGA * DT * SECOND;
  const double keep = second * diffusion[X];
#pragma omp simd
  for (int i = 1; i < N - 1; i++) {
    const struct point p = point_of(x, i);
    const struct diagonal d = diagonal_of(p);
    const struct point q = point_of(x, i + (int)side);
    const struct unknowns r = {{right[0][i], right[1][i], right[2][i], right[3][i], right[4][i]}};
    const struct unknowns c = solve_point(d, p, r);
    e->c[0][i] = c.of[0];
    e->c[1][i] = c.of[1];
    e->c[2][i] = c.of[2];
    e->c[3][i] = c.of[3];
    e->c[4][i] = c.of[4];

    const double viscous = second * C34 * q.inverse;
    const double enthalpy = C1 * q.energy - C2 * q.kinetic;
    const double square = q.vx * q.vx;

    const double m00 = d.inverse0 * -keep;
    const double m01 = d.inverse0 * first;
    const double to_momentum0 = d.viscous * m00;
    const double to_momentum1 = d.viscous * m01;

    const double m10 = d.inverse * (first * (C2 * q.kinetic - square) + 4.0 / 3.0 * viscous * q.vx +
                                    to_momentum0 * p.vx);
    const double m11 =
        d.inverse * (first * (2.0 - C2) * q.vx - 4.0 / 3.0 * viscous - keep + to_momentum1 * p.vx);
    const double m12 = d.inverse * -first * C2 * q.vy;
    const double m13 = d.inverse * -first * C2 * q.vz;
    const double m14 = d.inverse * first * C2;

    const double m20 = d.inverse * ((viscous - first * q.vx) * q.vy + to_momentum0 * p.vy);
    const double m21 = d.inverse * (first * q.vy + to_momentum1 * p.vy);
    const double m30 = d.inverse * ((viscous - first * q.vx) * q.vz + to_momentum0 * p.vz);
    const double m31 = d.inverse * (first * q.vz + to_momentum1 * p.vz);
    const double m22 = d.inverse * (first * q.vx - viscous - keep);

    const double b40 =
        first * q.vx * (C2 * q.kinetic - enthalpy) +
        viscous * (C1C5 * q.energy + (1.0 - C1C5) * 2.0 * q.kinetic + 1.0 / 3.0 * square);
    const double b41 = first * (enthalpy - C2 * square) - viscous * (4.0 / 3.0 - C1C5) * q.vx;
    const double to_energy = -first * C2 * q.vx - viscous * (1.0 - C1C5);
    const double b44 = first * C1 * q.vx - viscous * C1C5 - keep;

    e->m[0][0][i] = m00;
    e->m[0][1][i] = m01;
    e->m[1][0][i] = m10;
    e->m[1][1][i] = m11;
    e->m[1][2][i] = m12;
    e->m[1][3][i] = m13;
    e->m[1][4][i] = m14;
    e->m[2][0][i] = m20;
    e->m[2][1][i] = m21;
    e->m[2][2][i] = m22;
    e->m[3][0][i] = m30;
    e->m[3][1][i] = m31;
    e->m[3][3][i] = m22;
    e->m[4][0][i] =
        d.inverse4 * (b40 + d.heat * m00 - d.work * (p.vx * m10 + p.vy * m20 + p.vz * m30));
    e->m[4][1][i] =
        d.inverse4 * (b41 + d.heat * m01 - d.work * (p.vx * m11 + p.vy * m21 + p.vz * m31));
    e->m[4][2][i] = d.inverse4 * (to_energy * q.vy - d.work * (p.vx * m12 + p.vy * m22));
    e->m[4][3][i] = d.inverse4 * (to_energy * q.vz - d.work * (p.vx * m13 + p.vz * m22));
    e->m[4][4][i] = d.inverse4 * (b44 - d.work * p.vx * m14);
  }
}

/* Solves a row's equations, from the end where the neighbour's x is zero. */
static inline void solve_equations(const struct equations *e, int first, int last, int step,
                                   double x[5][N]) {
  double x0 = 0.0;
  double x1 = 0.0;
  double x2 = 0.0;
  double x3 = 0.0;
  double x4 = 0.0;
  for (int i = first; i != last + step; i += step) {
    const double y0 = e->c[0][i] + e->m[0][0][i] * x0 + e->m[0][1][i] * x1;
    const double y1 = e->c[1][i] + e->m[1][0][i] * x0 + e->m[1][1][i] * x1 +
                      (e->m[1][2][i] * x2 + e->m[1][3][i] * x3 + e->m[1][4][i] * x4);
    const double y2 = e->c[2][i] + e->m[2][0][i] * x0 + e->m[2][1][i] * x1 + e->m[2][2][i] * x2;
    const double y3 = e->c[3][i] + e->m[3][0][i] * x0 + e->m[3][1][i] * x1 + e->m[3][3][i] * x3;
    const double y4 = e->c[4][i] + e->m[4][0][i] * x0 + e->m[4][1][i] * x1 +
                      (e->m[4][2][i] * x2 + e->m[4][3][i] * x3 + e->m[4][4][i] * x4);
    x[0][i] = x0 = y0;
    x[1][i] = x1 = y1;
    x[2][i] = x2 = y2;
    x[3][i] = x3 = y3;
    x[4][i] = x4 = y4;
  }
}

/* Solves the lower triangular system for a row. */
static void solve_lower(int k, int j) {
  struct equations e;
  double right[5][N];
  couple_rows(right, -1.0, u[k - 1][j], rsd[k - 1][j], u[k][j - 1], rsd[k][j - 1]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < N - 1; i++)
      right[m][i] += DT * rsd[k][j][m][i];
  make_equations(&e, -1.0, u[k][j], right);
  solve_equations(&e, 1, N - 2, 1, rsd[k][j]);
}

/* Solves the upper triangular system for a row. */
static void solve_upper(int k, int j) {
  struct equations e;
  double right[5][N];
  couple_rows(right, 1.0, u[k + 1][j], rsd[k + 1][j], u[k][j + 1], rsd[k][j + 1]);
  make_equations(&e, 1.0, u[k][j], right);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < N - 1; i++)
      e.c[m][i] += rsd[k][j][m][i];
  solve_equations(&e, N - 2, 1, -1, rsd[k][j]);
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
