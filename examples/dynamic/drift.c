/*===-- drift.c - work that moves over an array, and is balanced --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A front moves over the rows of an array; rows near it need several times as many steps as others.
 * Before each pass the rows are divided so that each thread has as many steps: with the front move
 * the bounds between the threads, a little in each pass.
 *
 *   gcc -O2 -fopenmp drift.c -o drift
 *   mai-run --dynamic -r - ./drift --passes=400
 *
 * Verified by doing the steps of some elements again.
 */
#include "common.h"

enum { ROW = PAGE_BYTES / sizeof(uint64_t), NEAR_STEPS = 4 };

static long rows = 512;
static long passes = 200;
static long threads;
static long bounds[MOST_THREADS + 1]; /* thread t has the rows from bounds[t] up to bounds[t + 1] */

static long steps_of(long row, long pass) {
  long front = rows * pass / passes;
  return labs(row - front) < rows / 8 ? NEAR_STEPS : 1;
}

static void divide(long pass) {
  long all = 0, thread = 0, so_far = 0;
  for (long row = 0; row < rows; row++)
    all += steps_of(row, pass);
  for (long row = 0; row < rows; row++) {
    while (thread <= threads && so_far * threads >= all * thread)
      bounds[thread++] = row;
    so_far += steps_of(row, pass);
  }
  while (thread <= threads)
    bounds[thread++] = rows;
}

static uint64_t step(uint64_t value) { return value * 6364136223846793005U + 1442695040888963407U; }

static void work(uint64_t *array, long row, long pass) {
  for (long steps = steps_of(row, pass); steps > 0; steps--)
    for (long j = 0; j < ROW; j++)
      array[row * ROW + j] = step(array[row * ROW + j]);
}

static uint64_t expected(long element) {
  uint64_t value = (uint64_t)element;
  for (long pass = 0; pass < passes; pass++)
    for (long steps = steps_of(element / ROW, pass); steps > 0; steps--)
      value = step(value);
  return value;
}

/* One element of each row, at another place in each. */
static bool is_right(const uint64_t *array, uint64_t *sum) {
  bool right = true;
  for (long row = 0; row < rows; row++) {
    long element = row * ROW + row * 37 % ROW;
    right = right && array[element] == expected(element);
  }
  for (long element = 0; element < rows * ROW; element++)
    *sum += array[element];
  return right;
}

/* As the last pass was divided. */
static long user(long row, long pass) {
  (void)pass;
  long thread = 0;
  while (thread + 1 < threads && bounds[thread + 1] <= row)
    thread++;
  return thread;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {
      {"--rows", &rows, 262144, {NULL}}, {"--passes", &passes, 0, {NULL}}, {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  threads = omp_get_max_threads();
  if (threads > MOST_THREADS)
    end_with_usage(options);
  uint64_t *array = allocate(rows * ROW, sizeof *array);
  for (long element = 0; element < rows * ROW; element++)
    array[element] = (uint64_t)element;
  for (long pass = 0; pass < passes; pass++) {
    divide(pass);
#pragma omp parallel
    {
      const long own = omp_get_thread_num();
      for (long row = bounds[own]; row < bounds[own + 1]; row++)
        work(array, row, pass);
    }
    if (!is_counted(pass))
      continue;
    count_visits(array, rows, ROW * sizeof *array, user, pass);
    end_count(pass);
  }
  uint64_t sum = 0;
  bool right = is_right(array, &sum);
  free(array);
  return tell(right, sum);
}
