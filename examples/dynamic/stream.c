/*===-- stream.c - buffers that are filled, used and given back ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * One thread fills a new buffer with records, all work on it for some passes, then it is given
 * back: none lives long enough for a move to pay.
 *
 *   gcc -O2 -fopenmp stream.c -o stream
 *   mai-run --dynamic -r - ./stream
 */
#include "common.h"

enum { PAGE_ELEMENTS = PAGE_BYTES / sizeof(uint64_t) };

static long pages = 256; /* of a buffer */
static long buffers = 50;
static long passes = 2; /* on each */
static long threads;

static uint64_t record_at(long buffer, long i) {
  return (uint64_t)buffer * 0x9e3779b97f4a7c15U + (uint64_t)i * 0xbf58476d1ce4e5b9U;
}

static void work(uint64_t *records) {
#pragma omp parallel
  {
    const long own = omp_get_thread_num();
    const long end = part_begin(pages, own + 1, threads) * PAGE_ELEMENTS;
    for (long i = part_begin(pages, own, threads) * PAGE_ELEMENTS; i < end; i++)
      records[i] ^= records[i] >> 7;
  }
}

static uint64_t expected(uint64_t record) {
  for (long pass = 0; pass < passes; pass++)
    record ^= record >> 7;
  return record;
}

static bool is_right(const uint64_t *records, long buffer, uint64_t *sum) {
  bool right = true;
  for (long i = 0; i < pages * PAGE_ELEMENTS; i++) {
    right = right && records[i] == expected(record_at(buffer, i));
    *sum += records[i];
  }
  return right;
}

static long user(long page, long pass) {
  (void)pass;
  return part_owner(pages, page, threads);
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--pages", &pages, 65536, {NULL}},
                                   {"--buffers", &buffers, 0, {NULL}},
                                   {"--passes", &passes, 0, {NULL}},
                                   {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  threads = omp_get_max_threads();
  bool right = true;
  uint64_t sum = 0;
  for (long buffer = 0; buffer < buffers; buffer++) {
    uint64_t *records = allocate(pages, PAGE_BYTES);
    for (long i = 0; i < pages * PAGE_ELEMENTS; i++)
      records[i] = record_at(buffer, i);
    for (long pass = 0; pass < passes; pass++) {
      work(records);
      if (!is_counted(buffer * passes + pass))
        continue;
      count_visits(records, pages, PAGE_BYTES, user, pass);
      end_count(buffer * passes + pass);
    }
    right = is_right(records, buffer, &sum) && right;
    forget_visits(records);
    free(records);
  }
  return tell(right, sum);
}
