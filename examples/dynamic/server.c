/*===-- server.c - requests to parts of a store, by teams of any size *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The store has as many parts as there may be threads.  Requests come in batches; now and then a
 * batch is served by fewer threads, each of which has several parts then, and by all of them again.
 *
 *   gcc -O2 -fopenmp server.c -o server
 *   mai-run --dynamic -r - ./server
 *
 * Verified by counting the requests that each key has had.
 */
#include "common.h"

enum { PAGE_KEYS = PAGE_BYTES / sizeof(uint64_t), FEWER_OF = 8 };

static long pages = 64;       /* of a part */
static long requests = 16384; /* to a part in a batch */
static long batches = 100;
static long parts;

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return *state >> 33;
}

/* One batch in eight is served by half of the threads. */
static long threads_of(long batch) {
  return batch % FEWER_OF == FEWER_OF - 1 && parts > 1 ? parts / 2 : parts;
}

static void serve(uint64_t *part, uint64_t seed) {
  uint64_t state = seed;
  for (long i = 0; i < requests; i++)
    part[next(&state) % (uint64_t)(pages * PAGE_KEYS)]++;
}

static void serve_batch(uint64_t *store, long batch) {
#pragma omp parallel num_threads((int)threads_of(batch))
  {
    const long own = omp_get_thread_num(), threads = omp_get_num_threads();
    for (long part = part_begin(parts, own, threads); part < part_begin(parts, own + 1, threads);
         part++)
      serve(store + part * pages * PAGE_KEYS, (uint64_t)(batch * MOST_THREADS + part));
  }
}

/* The same requests, taken back. */
static void take_back(uint64_t *store) {
  for (long batch = 0; batch < batches; batch++)
    for (long part = 0; part < parts; part++) {
      uint64_t state = (uint64_t)(batch * MOST_THREADS + part);
      for (long i = 0; i < requests; i++)
        store[part * pages * PAGE_KEYS + (long)(next(&state) % (uint64_t)(pages * PAGE_KEYS))]--;
    }
}

static bool is_empty(const uint64_t *store) {
  for (long key = 0; key < parts * pages * PAGE_KEYS; key++)
    if (store[key] != 0)
      return false;
  return true;
}

static long user(long page, long batch) {
  return part_owner(parts, page / pages, threads_of(batch));
}

int main(int argument_count, char **arguments) {
  const struct option options[] = {{"--pages", &pages, 16384, {NULL}},
                                   {"--requests", &requests, 1 << 20, {NULL}},
                                   {"--batches", &batches, 0, {NULL}},
                                   {NULL, NULL, 0, {NULL}}};
  (void)argument_count;
  read_options(arguments, options);
  parts = omp_get_max_threads();
  uint64_t *store = allocate(parts * pages, PAGE_BYTES);
  memset(store, 0, (size_t)(parts * pages) * PAGE_BYTES);
  for (long batch = 0; batch < batches; batch++) {
    serve_batch(store, batch);
    if (!is_counted(batch))
      continue;
    count_visits(store, parts * pages, PAGE_BYTES, user, batch);
    end_count(batch);
  }
  uint64_t sum = 0;
  for (long key = 0; key < parts * pages * PAGE_KEYS; key++)
    sum += store[key] * (uint64_t)(key % 7);
  take_back(store);
  bool right = is_empty(store);
  free(store);
  return tell(right, sum);
}
