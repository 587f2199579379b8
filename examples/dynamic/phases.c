/*===-- phases.c - a table is summed up by rows, then by columns --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For some passes each thread has the same rows, and for as many the same columns; then rows again.
 * A pass replaces the elements of a row, or of a column, by the sums of those up to them.
 *
 *   gcc -O2 -fopenmp phases.c -o phases
 *   mai-run --dynamic -r - ./phases --phases=6 --passes=50
 *
 * Rows and columns are summed up in parallel regions of their own; with --regions=one in the same.
 *
 * The elements begin as the product of a number for the row and one for the column, and stay such.
 */
#include "common.h"

static long rows = 64;
static long columns = 8192;
static long phases = 4;
static long passes = 20; /* of a phase */
enum { TWO, ONE };
static long regions = TWO;
static long threads;

static bool is_by_rows(long pass) { return pass / passes % 2 == 0; }

static void sum_row(uint32_t *row) {
  for (long j = 1; j < columns; j++)
    row[j] += row[j - 1];
}

static void sum_columns(uint32_t *table, long begin, long end) {
  for (long i = 1; i < rows; i++)
    for (long j = begin; j < end; j++)
      table[i * columns + j] += table[(i - 1) * columns + j];
}

static void sum_own_rows(uint32_t *table) {
  const long own = omp_get_thread_num();
  for (long i = part_begin(rows, own, threads); i < part_begin(rows, own + 1, threads); i++)
    sum_row(table + i * columns);
}

static void sum_own_columns(uint32_t *table) {
  const long own = omp_get_thread_num();
  sum_columns(table, part_begin(columns, own, threads), part_begin(columns, own + 1, threads));
}

static void sum_in_two_regions(uint32_t *table, bool by_rows) {
  if (by_rows) {
#pragma omp parallel
    sum_own_rows(table);
  } else {
#pragma omp parallel
    sum_own_columns(table);
  }
}

static void sum_in_one_region(uint32_t *table, bool by_rows) {
#pragma omp parallel
  if (by_rows)
    sum_own_rows(table);
  else
    sum_own_columns(table);
}

/* The numbers of the rows, or of the columns, as they are after so many sums. */
static uint32_t *make_numbers(long count, uint32_t step, long sums) {
  uint32_t *numbers = allocate(count, sizeof *numbers);
  for (long i = 0; i < count; i++)
    numbers[i] = (uint32_t)i * step + 1;
  for (long sum = 0; sum < sums; sum++)
    for (long i = 1; i < count; i++)
      numbers[i] += numbers[i - 1];
  return numbers;
}

static void fill(uint32_t *table) {
  uint32_t *of_rows = make_numbers(rows, 1, 0), *of_columns = make_numbers(columns, 2, 0);
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      table[i * columns + j] = of_rows[i] * of_columns[j];
  free(of_rows);
  free(of_columns);
}

static bool is_right(const uint32_t *table, uint64_t *sum) {
  long by_rows = 0;
  for (long pass = 0; pass < phases * passes; pass++)
    by_rows += is_by_rows(pass);
  uint32_t *of_rows = make_numbers(rows, 1, phases * passes - by_rows);
  uint32_t *of_columns = make_numbers(columns, 2, by_rows);
  bool right = true;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++) {
      right = right && table[i * columns + j] == of_rows[i] * of_columns[j];
      *sum += table[i * columns + j];
    }
  free(of_rows);
  free(of_columns);
  return right;
}

/* Of a page of the table. */
enum { PAGE_ELEMENTS = PAGE_BYTES / sizeof(uint32_t) };
static long user(long page, long pass) {
  long element = page * PAGE_ELEMENTS + PAGE_ELEMENTS / 2;
  return is_by_rows(pass) ? part_owner(rows, element / columns, threads)
                          : part_owner(columns, element % columns, threads);
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--rows", &rows, 4096, {NULL}},
                                   {"--columns", &columns, 65536, {NULL}},
                                   {"--phases", &phases, 0, {NULL}},
                                   {"--passes", &passes, 0, {NULL}},
                                   {"--regions", &regions, 0, {"two", "one", NULL}},
                                   {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  threads = omp_get_max_threads();
  uint32_t *table = allocate(rows * columns, sizeof *table);
  fill(table);
  for (long pass = 0; pass < phases * passes; pass++) {
    if (regions == TWO)
      sum_in_two_regions(table, is_by_rows(pass));
    else
      sum_in_one_region(table, is_by_rows(pass));
    if (!is_counted(pass))
      continue;
    count_visits(table, rows * columns / PAGE_ELEMENTS, PAGE_BYTES, user, pass);
    end_count(pass);
  }
  uint64_t sum = 0;
  bool right = is_right(table, &sum);
  free(table);
  return tell(right, sum);
}
