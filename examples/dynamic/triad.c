/*===-- triad.c - vectors that are where they belong, or soon gone *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * a = b + 3 c, again and again.  Each thread fills its own part, and there is nothing to be gained;
 * with --fill=one --passes=3 there would be, but the program ends before it could pay.
 *
 *   gcc -O2 -fopenmp triad.c -o triad
 *   mai-run --dynamic -r - ./triad
 */
#include "common.h"

enum { PAGE_ELEMENTS = PAGE_BYTES / sizeof(double) };

static long pages = 512; /* of a vector */
static long passes = 100;
enum { BY_OWNER, BY_ONE };
static long fill = BY_OWNER;
static long threads;

static long user(long page, long pass) {
  (void)pass;
  return part_owner(pages, page, threads);
}

static void add(double *a, const double *b, const double *c, long pass) {
#pragma omp parallel
  {
    const long own = omp_get_thread_num();
    const long end = part_begin(pages, own + 1, threads) * PAGE_ELEMENTS;
    for (long i = part_begin(pages, own, threads) * PAGE_ELEMENTS; i < end; i++)
      a[i] = b[i] + 3 * c[i] + (double)pass;
  }
}

static void fill_vectors(double *a, double *b, double *c) {
#pragma omp parallel if (fill == BY_OWNER)
  {
    const long own = omp_get_thread_num(), all = omp_get_num_threads();
    const long end = part_begin(pages, own + 1, all) * PAGE_ELEMENTS;
    for (long i = part_begin(pages, own, all) * PAGE_ELEMENTS; i < end; i++) {
      a[i] = 0;
      b[i] = (double)i;
      c[i] = (double)(i % 5);
    }
  }
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--pages", &pages, 262144, {NULL}},
                                   {"--passes", &passes, 0, {NULL}},
                                   {"--fill", &fill, 0, {"own", "one", NULL}},
                                   {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  threads = omp_get_max_threads();
  double *a = allocate(pages, PAGE_BYTES), *b = allocate(pages, PAGE_BYTES);
  double *c = allocate(pages, PAGE_BYTES);
  fill_vectors(a, b, c);
  for (long pass = 0; pass < passes; pass++) {
    add(a, b, c, pass);
    if (!is_counted(pass))
      continue;
    count_visits(a, pages, PAGE_BYTES, user, pass);
    count_visits(b, pages, PAGE_BYTES, user, pass);
    count_visits(c, pages, PAGE_BYTES, user, pass);
    end_count(pass);
  }
  bool right = true;
  uint64_t sum = 0;
  for (long i = 0; i < pages * PAGE_ELEMENTS; i++) {
    right = right && a[i] == (double)(i + i % 5 * 3 + passes - 1);
    sum += (uint64_t)a[i];
  }
  free(a);
  free(b);
  free(c);
  return tell(right, sum);
}
