/*===-- laplacian.c - an image is sharpened, again and again ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The Laplacian filter of 3 x 3 pixels, from one image into another and back; the image goes on
 * behind its edges with the other side.  Each thread has the same rows in all passes.
 *
 *   gcc -O2 -fopenmp laplacian.c -o laplacian
 *   mai-run --dynamic -r - ./laplacian --rows=4096 --passes=200
 *
 * --fill says who touches the pixels first: one thread; each its own rows; or all in turn, row by
 * row, which distributes the pages.  With --home=N there are as many passes as it takes until N per
 * cent of the pages are where their rows are filtered.
 *
 * Verified by weighted sums of all pixels, each of which the filter multiplies by a known factor.
 * Rows and columns are multiples of 16 for that.
 */
#include "common.h"

static long rows = 512;
static long columns = 1024;
static long passes = 100;
static long home; /* per cent of the pages; 0: that does not matter */
enum { BY_ONE, BY_OWNER, IN_TURN };
static long fill = BY_ONE;
static long threads;

/* S. Vigna's splitmix64. */
static uint32_t pixel_at(long i, long j) {
  uint64_t state = (uint64_t)(i * columns + j + 1) * UINT64_C(0x9e3779b97f4a7c15);
  state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(state >> 56);
}

static void fill_row(uint32_t *image, long i) {
  for (long j = 0; j < columns; j++)
    image[i * columns + j] = pixel_at(i, j);
}

static void fill_image(uint32_t *image) {
#pragma omp parallel if (fill != BY_ONE)
  {
    const long own = omp_get_thread_num();
    for (long i = 0; i < rows; i++)
      if (fill == BY_ONE || own == (fill == IN_TURN ? i % threads : part_owner(rows, i, threads)))
        fill_row(image, i);
  }
}

static uint32_t filtered(const uint32_t *above, const uint32_t *row, const uint32_t *below,
                         long left, long j, long right) {
  return above[left] + above[j] + above[right] + row[left] + row[right] + below[left] + below[j] +
         below[right] - 7 * row[j];
}

static void filter_row(const uint32_t *from, uint32_t *to, long i) {
  const uint32_t *above = from + (i + rows - 1) % rows * columns;
  const uint32_t *row = from + i * columns;
  const uint32_t *below = from + (i + 1) % rows * columns;
  to += i * columns;
  to[0] = filtered(above, row, below, columns - 1, 0, 1);
  for (long j = 1; j < columns - 1; j++)
    to[j] = filtered(above, row, below, j - 1, j, j + 1);
  to[columns - 1] = filtered(above, row, below, columns - 2, columns - 1, 0);
}

static void filter(const uint32_t *from, uint32_t *to) {
#pragma omp parallel
  {
    const long own = omp_get_thread_num();
    for (long i = part_begin(rows, own, threads); i < part_begin(rows, own + 1, threads); i++)
      filter_row(from, to, i);
  }
}

/* A pixel in row i and column j counts a^i b^j times: for a and b one of these, whose 16th power is
   1, and their reciprocals. */
enum { WEIGHTS = 3, CHECKS = WEIGHTS * WEIGHTS, PERIOD = 16 };
static const uint32_t weights[WEIGHTS] = {1, UINT32_MAX, 1 + (1U << 28)};
static const uint32_t reciprocals[WEIGHTS] = {1, UINT32_MAX, 1 - (1U << 28)};

static uint32_t sum_of(const uint32_t *image, int check) {
  uint32_t sum = 0, of_row = 1;
  for (long i = 0; i < rows; i++) {
    uint32_t weight = of_row;
    for (long j = 0; j < columns; j++) {
      sum += weight * image[i * columns + j];
      weight *= weights[check % WEIGHTS];
    }
    of_row *= weights[check / WEIGHTS];
  }
  return sum;
}

/* A weight, and those of the pixels on both sides of it, as parts of it. */
static uint32_t around(int weight) { return reciprocals[weight] + 1 + weights[weight]; }

/* What the filter multiplies such a sum by: all nine pixels, less eight times the one. */
static uint32_t factor_of(int check) {
  return around(check / WEIGHTS) * around(check % WEIGHTS) - 8;
}

static void sum_up(const uint32_t *image, uint32_t *sums) {
  for (int check = 0; check < CHECKS; check++)
    sums[check] = sum_of(image, check);
}

static bool is_right(const uint32_t *begun, const uint32_t *ended) {
  for (int check = 0; check < CHECKS; check++) {
    uint32_t expected = begun[check];
    for (long pass = 0; pass < passes; pass++)
      expected *= factor_of(check);
    if (expected != ended[check])
      return false;
  }
  return true;
}

static long user(long row, long pass) {
  (void)pass;
  return part_owner(rows, row, threads);
}

/* Until enough pages are where their rows are filtered, if that matters: however slow the machine
 * is. */
static bool goes_on(long pass) {
  if (!home || pass == 0)
    return pass < passes;
  passes = pass;
  return (account.last_visits - account.last_remote) * 100 < (double)home * account.last_visits;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--rows", &rows, 10000, {NULL}},
                                   {"--columns", &columns, 10000, {NULL}},
                                   {"--passes", &passes, 0, {NULL}},
                                   {"--home", &home, 0, {NULL}},
                                   {"--fill", &fill, 0, {"one", "own", "turns", NULL}},
                                   {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  if (rows % PERIOD || columns % PERIOD)
    end_with_usage(options);
  threads = omp_get_max_threads();
  counted = home && !counted ? 1 : counted;
  uint32_t *from = allocate(rows * columns, sizeof *from);
  uint32_t *to = allocate(rows * columns, sizeof *to);
  fill_image(from);
  fill_image(to);
  uint32_t begun[CHECKS], ended[CHECKS];
  sum_up(from, begun);
  for (long pass = 0; goes_on(pass); pass++) {
    filter(from, to);
    uint32_t *before = from;
    from = to;
    to = before;
    if (!is_counted(pass))
      continue;
    count_visits(from, rows, (size_t)columns * sizeof *from, user, pass);
    count_visits(to, rows, (size_t)columns * sizeof *to, user, pass);
    end_count(pass);
  }
  sum_up(from, ended);
  int status = tell(is_right(begun, ended), ended[WEIGHTS + 1]);
  free(from);
  free(to);
  return status;
}
