/*===-- ft.c - NAS kernel FT: the heat equation by Fourier transforms ----------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Solves a heat equation in three dimensions by Fourier transforms: all of the memory is gone
 * through along each of its dimensions.
 *
 *   gcc -O3 -fopenmp -DCLASS=W ft.c -o ft -lm
 *
 * The benchmark is FT of the NAS Parallel Benchmarks (Bailey et al., report RNR-94-007, 1994).  A
 * grid of random complex numbers is transformed once.  Iteration t multiplies the transform by
 * exp(-4 ALPHA pi^2 t |k|^2), k being the wave numbers from -n / 2 to n / 2 - 1, transforms the
 * product back and adds up 1024 of its elements.
 *
 * A one-dimensional transform is Stockham's, of radix 4 (and 2 at the end, if need be), of WIDTH
 * vectors at a time, which are copied from the grid to where their elements lie side by side.
 */
#include "common.h"

/* The published classes:  points along x, y and z, iterations, their checksums. */
#define CLASS_S(pick) pick(64, 64, 64, 6, SUMS_S)
#define CLASS_W(pick) pick(128, 128, 32, 6, SUMS_W)
#define CLASS_A(pick) pick(256, 256, 128, 6, SUMS_A)
#define CLASS_B(pick) pick(512, 256, 256, 20, SUMS_B)
#define CLASS_C(pick) pick(512, 512, 512, 20, SUMS_C)

#define PICK_NX(nx, ny, nz, iterations, sums) nx
#define PICK_NY(nx, ny, nz, iterations, sums) ny
#define PICK_NZ(nx, ny, nz, iterations, sums) nz
#define PICK_ITERATIONS(nx, ny, nz, iterations, sums) iterations
#define PICK_SUMS(nx, ny, nz, iterations, sums) sums

#define NX CLASS_NAMED(CLASS)(PICK_NX)
#define NY CLASS_NAMED(CLASS)(PICK_NY)
#define NZ CLASS_NAMED(CLASS)(PICK_NZ)
#define ITERATIONS CLASS_NAMED(CLASS)(PICK_ITERATIONS)
#define POINTS ((double)NX * NY * NZ)
#define SEED 314159265
#define ALPHA 1e-6
#define TOLERANCE 1e-12
#define PI 3.14159265358979323846

#define LONGEST 512 /* vector of any class */
#define WIDTH 16    /* vectors transformed at a time: 256 bytes of a row */

#define SUMS_S                                                                                     \
  {554.6087004964, 484.5363331978}, {554.6385409189, 486.5304269511},                              \
      {554.6148406171, 488.3910722336}, {554.5423607415, 490.1273169046},                          \
      {554.4255039624, 491.7475857993}, {554.2683411902, 493.2597244941},

#define SUMS_W                                                                                     \
  {567.3612178944, 529.3246849175}, {563.1436885271, 528.2149986629},                              \
      {559.402408997, 527.0996558037}, {556.069804702, 526.0027904925},                            \
      {553.089899125, 524.9400845633}, {550.4159734538, 523.9212247086},

#define SUMS_A                                                                                     \
  {504.6735008193, 511.404790551}, {505.9412319734, 509.8809666433},                               \
      {506.9376896287, 509.8144042213}, {507.7892868474, 510.1336130759},                          \
      {508.5233095391, 510.4914655194}, {509.1487099959, 510.7917842803},

#define SUMS_B                                                                                     \
  {517.7643571579, 507.7803458597}, {515.4521291263, 508.8249431599},                              \
      {514.6409228649, 509.6208912659}, {514.2378756213, 510.1023387619},                          \
      {513.9626667737, 510.3976610617}, {513.7423460082, 510.5948019802},                          \
      {513.5547056878, 510.7404165783}, {513.3910925466, 510.8576573661},                          \
      {513.247070539, 510.9577278523}, {513.1197729984, 511.0460304483},                           \
      {513.0070319283, 511.12524338}, {512.9070537032, 511.1968077718},                            \
      {512.8182883502, 511.2616233064}, {512.7393733383, 511.3203605551},                          \
      {512.669106202, 511.3735928093}, {512.6064276004, 511.4218460548},                           \
      {512.550407657, 511.465613976}, {512.500233172, 511.5053595966},                             \
      {512.4551951846, 511.5415130407}, {512.4146770029, 511.5744692211},

#define SUMS_C                                                                                     \
  {519.5078707457, 514.9019699238}, {515.5422171134, 512.7578201997},                              \
      {514.4678022222, 512.2251847514}, {514.0150594328, 512.1090289018},                          \
      {513.755042681, 512.1143685824}, {513.5811056728, 512.1496764568},                           \
      {513.4569343165, 512.1870921893}, {513.3651975661, 512.2193250322},                          \
      {513.2955192805, 512.2454735794}, {513.2410471738, 512.2663649603},                          \
      {513.1971141679, 512.2830879827}, {513.1605205716, 512.2965869718},                          \
      {513.1290734194, 512.3075927445}, {513.1012720314, 512.3166486553},                          \
      {513.0760908195, 512.3241541685}, {513.0528295923, 512.3304037599},                          \
      {513.0310107773, 512.3356167976}, {513.0103090133, 512.3399592211},                          \
      {512.9905029333, 512.3435588985}, {512.9714421109, 512.3465164008},

static const double published[ITERATIONS][2] = {CLASS_NAMED(CLASS)(PICK_SUMS)};

typedef struct {
  double re, im;
} number;

/* The transform, what it is multiplied by in each iteration, and the grid. */
static number u0[NZ][NY][NX];
static double decay[NZ][NY][NX];
static number u1[NZ][NY][NX];

/* An element of WIDTH vectors, which are computed with side by side. */
typedef struct {
  double re[WIDTH], im[WIDTH];
} element;

static number root[LONGEST]; /* exp(2 pi i k / LONGEST) */

static void make_roots(void) {
  for (int k = 0; k < LONGEST; k++) {
    root[k].re = cos(2.0 * PI * k / LONGEST);
    root[k].im = sin(2.0 * PI * k / LONGEST);
  }
}

/* exp(sign 2 pi i k / LONGEST) */
static number unit(int k, double sign) { return (number){root[k].re, sign * root[k].im}; }

/* One pass of radix 4 over the vectors x of length n, which are the stride subsequences of the
 * original ones, interleaved.  Their quarters' sums are left in y, interleaved four times as
 * much. */
static void pass_of_four(int n, int stride, double sign, const element *x, element *y) {
  for (int p = 0; p < n / 4; p++) {
    const number w1 = unit(LONGEST / n * p, sign);
    const number w2 = unit(LONGEST / n * p * 2, sign);
    const number w3 = unit(LONGEST / n * p * 3, sign);
    for (int q = 0; q < stride; q++) {
      const element *const a = &x[p * stride + q];
      const element *const b = &x[(p + n / 4) * stride + q];
      const element *const c = &x[(p + n / 2) * stride + q];
      const element *const d = &x[(p + n / 4 * 3) * stride + q];
      element *const sum = &y[4 * p * stride + q];
      element *const sum1 = &y[(4 * p + 1) * stride + q];
      element *const sum2 = &y[(4 * p + 2) * stride + q];
      element *const sum3 = &y[(4 * p + 3) * stride + q];
#pragma omp simd
      for (int w = 0; w < WIDTH; w++) {
        const number even = {a->re[w] + c->re[w], a->im[w] + c->im[w]};
        const number odd = {b->re[w] + d->re[w], b->im[w] + d->im[w]};
        const number even_less = {a->re[w] - c->re[w], a->im[w] - c->im[w]};
        const number odd_less = {sign * (b->re[w] - d->re[w]), sign * (b->im[w] - d->im[w])};
        const number first = {even_less.re - odd_less.im, even_less.im + odd_less.re};
        const number second = {even.re - odd.re, even.im - odd.im};
        const number third = {even_less.re + odd_less.im, even_less.im - odd_less.re};
        sum->re[w] = even.re + odd.re;
        sum->im[w] = even.im + odd.im;
        sum1->re[w] = w1.re * first.re - w1.im * first.im;
        sum1->im[w] = w1.re * first.im + w1.im * first.re;
        sum2->re[w] = w2.re * second.re - w2.im * second.im;
        sum2->im[w] = w2.re * second.im + w2.im * second.re;
        sum3->re[w] = w3.re * third.re - w3.im * third.im;
        sum3->im[w] = w3.re * third.im + w3.im * third.re;
      }
    }
  }
}

/* The last pass, if four is too many: over vectors of length 2. */
static void pass_of_two(int stride, const element *x, element *y) {
  for (int q = 0; q < stride; q++) {
#pragma omp simd
    for (int w = 0; w < WIDTH; w++) {
      y[q].re[w] = x[q].re[w] + x[q + stride].re[w];
      y[q].im[w] = x[q].im[w] + x[q + stride].im[w];
      y[q + stride].re[w] = x[q].re[w] - x[q + stride].re[w];
      y[q + stride].im[w] = x[q].im[w] - x[q + stride].im[w];
    }
  }
}

/* Transforms vectors of length n in x: X[k] = sum of x[j] exp(sign 2 pi i j k / n).  Returns where
 * the result is: in x or in y. */
static element *transform(int n, double sign, element *x, element *y) {
  for (int stride = 1; n > 1; n /= 4, stride *= 4) {
    if (n == 2)
      pass_of_two(stride, x, y);
    else
      pass_of_four(n, stride, sign, x, y);
    element *const result = y;
    y = x;
    x = result;
  }
  return x;
}

/* Transforms the rows of a plane; four elements at a time, a line of the cache, are transposed. */
static void transform_rows(int k, double sign) {
  element x[LONGEST];
  element y[LONGEST];
  for (int j = 0; j < NY; j += WIDTH) {
    for (int i = 0; i < NX; i += 4)
      for (int w = 0; w < WIDTH; w++)
        for (int e = i; e < i + 4; e++) {
          x[e].re[w] = u1[k][j + w][e].re;
          x[e].im[w] = u1[k][j + w][e].im;
        }
    const element *const result = transform(NX, sign, x, y);
    for (int i = 0; i < NX; i += 4)
      for (int w = 0; w < WIDTH; w++)
        for (int e = i; e < i + 4; e++) {
          u1[k][j + w][e].re = result[e].re[w];
          u1[k][j + w][e].im = result[e].im[w];
        }
  }
}

/* Transforms the columns of a plane. */
static void transform_columns(int k, double sign) {
  element x[LONGEST];
  element y[LONGEST];
  for (int i = 0; i < NX; i += WIDTH) {
    for (int j = 0; j < NY; j++)
      for (int w = 0; w < WIDTH; w++) {
        x[j].re[w] = u1[k][j][i + w].re;
        x[j].im[w] = u1[k][j][i + w].im;
      }
    const element *const result = transform(NY, sign, x, y);
    for (int j = 0; j < NY; j++)
      for (int w = 0; w < WIDTH; w++) {
        u1[k][j][i + w].re = result[j].re[w];
        u1[k][j][i + w].im = result[j].im[w];
      }
  }
}

static void transform_planes(double sign) {
#pragma omp parallel for
  for (int k = 0; k < NZ; k++) {
    transform_rows(k, sign);
    transform_columns(k, sign);
  }
}

/* Transforms across the planes. */
static void transform_depth(double sign) {
#pragma omp parallel for
  for (int j = 0; j < NY; j++) {
    element x[LONGEST];
    element y[LONGEST];
    for (int i = 0; i < NX; i += WIDTH) {
      for (int k = 0; k < NZ; k++)
        for (int w = 0; w < WIDTH; w++) {
          x[k].re[w] = u1[k][j][i + w].re;
          x[k].im[w] = u1[k][j][i + w].im;
        }
      const element *const result = transform(NZ, sign, x, y);
      for (int k = 0; k < NZ; k++)
        for (int w = 0; w < WIDTH; w++) {
          u1[k][j][i + w].re = result[k].re[w];
          u1[k][j][i + w].im = result[k].im[w];
        }
    }
  }
}

/* The factor of wave number k of n, one of three. */
static double decay_along(int k, int n) {
  const double wave = k < n / 2 ? k : k - n;
  return exp(-4.0 * ALPHA * PI * PI * wave * wave);
}

static void make_decay(void) {
  double along_x[NX];
  for (int i = 0; i < NX; i++)
    along_x[i] = decay_along(i, NX);
#pragma omp parallel for
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++) {
      const double along_yz = decay_along(k, NZ) * decay_along(j, NY);
      for (int i = 0; i < NX; i++)
        decay[k][j][i] = along_yz * along_x[i];
    }
}

static void make_grid(void) {
  uint64_t state = SEED;
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      fill_random(&u1[k][j][0].re, 2 * NX, &state);
}

/* Keeps the transform of the grid. */
static void keep_transform(void) {
#pragma omp parallel for
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      for (int i = 0; i < NX; i++)
        u0[k][j][i] = u1[k][j][i];
}

static void evolve(void) {
#pragma omp parallel for
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      for (int i = 0; i < NX; i++) {
        u0[k][j][i].re *= decay[k][j][i];
        u0[k][j][i].im *= decay[k][j][i];
        u1[k][j][i] = u0[k][j][i];
      }
}

static number checksum(void) {
  double re = 0.0;
  double im = 0.0;
#pragma omp parallel for reduction(+ : re, im)
  for (int e = 1; e <= 1024; e++) {
    re += u1[5 * e % NZ][3 * e % NY][e % NX].re;
    im += u1[5 * e % NZ][3 * e % NY][e % NX].im;
  }
  return (number){re / POINTS, im / POINTS};
}

static void solve(number sum[ITERATIONS]) {
  make_decay();
  make_roots();
  make_grid();
  transform_planes(-1.0);
  transform_depth(-1.0);
  keep_transform();
  for (int t = 0; t < ITERATIONS; t++) {
    evolve();
    transform_depth(1.0);
    transform_planes(1.0);
    sum[t] = checksum();
  }
}

/* The benchmark's count of floating-point operations, in millions. */
static double mega_operations(void) {
  const double logarithm = log(POINTS);
  return 1e-6 * POINTS *
         (14.8157 + 7.19641 * logarithm + ITERATIONS * (5.23518 + 7.21113 * logarithm));
}

static bool check_sums(const number sum[ITERATIONS]) {
  bool verified = true;
  for (int t = 0; t < ITERATIONS; t++) {
    char name[16];
    snprintf(name, sizeof name, "re %d", t + 1);
    verified &= agrees(name, sum[t].re, published[t][0], TOLERANCE);
    snprintf(name, sizeof name, "im %d", t + 1);
    verified &= agrees(name, sum[t].im, published[t][1], TOLERANCE);
  }
  return verified;
}

int main(int argc, char **argv) {
  refuse_arguments(argc, argv);
  printf(" NAS FT, class %s: %d x %d x %d points, %d iterations, %d threads\n", NAME_OF(CLASS), NX,
         NY, NZ, ITERATIONS, omp_get_max_threads());
  number sum[ITERATIONS];

  /* Everything once before the clock starts, so that caches and pages are warm. */
  solve(sum);

  const double start = omp_get_wtime();
  solve(sum);
  report_rate(seconds_since(start), mega_operations());
  return conclude(check_sums(sum));
}
