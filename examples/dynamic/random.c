/*===-- random.c - all threads change a table at random -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * No placement makes the accesses local.
 *
 *   gcc -O2 -fopenmp random.c -o random
 *   mai-run --dynamic -r - ./random --pages=4096
 *
 * The second pass of two undoes what the first has done, so that in the end the table is as it was.
 */
#include "common.h"

enum { PAGE_ELEMENTS = PAGE_BYTES / sizeof(uint64_t) };

static long pages = 512;
static long changes = 32768; /* of a thread in a pass */
static long passes = 100;

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return *state >> 20;
}

static void change(uint64_t *table, long thread, long pair) {
  uint64_t state = (uint64_t)(pair * MOST_THREADS + thread);
  for (long i = 0; i < changes; i++) {
    uint64_t drawn = next(&state);
#pragma omp atomic
    table[drawn % (uint64_t)(pages * PAGE_ELEMENTS)] ^= drawn;
  }
}

static long user(long page, long pass) {
  (void)page;
  (void)pass;
  return EVERYONE;
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--pages", &pages, 262144, {NULL}},
                                   {"--changes", &changes, 1 << 22, {NULL}},
                                   {"--passes", &passes, 0, {NULL}},
                                   {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  uint64_t *table = allocate(pages, PAGE_BYTES);
  for (long i = 0; i < pages * PAGE_ELEMENTS; i++)
    table[i] = (uint64_t)i;
  for (long pass = 0; pass < (passes + 1) / 2 * 2; pass++) {
#pragma omp parallel
    change(table, omp_get_thread_num(), pass / 2);
    if (!is_counted(pass))
      continue;
    count_visits(table, pages, PAGE_BYTES, user, pass);
    end_count(pass);
  }
  bool right = true;
  uint64_t sum = 0;
  for (long i = 0; i < pages * PAGE_ELEMENTS; i++) {
    right = right && table[i] == (uint64_t)i;
    sum += table[i];
  }
  free(table);
  return tell(right, sum);
}
