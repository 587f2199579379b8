/*===-- verdict.c - whether ranks have CPUs of their own ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "verdict.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "record.h"

/* Whether a list of threads has one on this CPU or core, but for the first `from`. */
static bool has(const json_t *threads, size_t from, const char *kind, long number) {
  for (size_t i = from; i < json_array_size(threads); i++)
    if (record_number(json_array_get(threads, i), kind) == number)
      return true;
  return false;
}

/* How many different CPUs, cores or nodes the threads of a rank are on. */
static long different(const json_t *threads, const char *kind) {
  long count = 0;
  for (size_t i = 0; i < json_array_size(threads); i++)
    count += !has(threads, i + 1, kind, record_number(json_array_get(threads, i), kind));
  return count;
}

static bool on_same_host(const json_t *record, const json_t *other) {
  return strcmp(record_text(record, "host"), record_text(other, "host")) == 0;
}

static bool share_a_core(const json_t *record, const json_t *other) {
  const json_t *threads = record_list(record, "threads");
  for (size_t i = 0; i < json_array_size(threads); i++)
    if (has(record_list(other, "threads"), 0, "core",
            record_number(json_array_get(threads, i), "core")))
      return true;
  return false;
}

/* The first other rank on the same cores; -1: none. */
static long overlaps_with(const json_t *all, const json_t *record) {
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *other = json_array_get(all, i);
    if (other != record && on_same_host(record, other) && share_a_core(record, other))
      return record_number(other, "rank");
  }
  return -1;
}

static bool has_wandering(const json_t *threads) {
  for (size_t i = 0; i < json_array_size(threads); i++)
    if (!json_is_true(json_object_get(json_array_get(threads, i), "fixed")))
      return true;
  return false;
}

/* Memory that the rank may use, but on none of its threads' nodes. */
static bool has_far_memory(const json_t *record) {
  const json_t *threads = record_list(record, "threads");
  const json_t *memory = record_list(record, "memory");
  for (size_t i = 0; i < json_array_size(memory); i++)
    if (has(threads, 0, "node", (long)json_integer_value(json_array_get(memory, i))))
      return false;
  return json_array_size(threads) > 0;
}

void verdict_on_rank(const json_t *all, const json_t *record, char *remark, size_t size) {
  const json_t *threads = record_list(record, "threads");
  long count = (long)json_array_size(threads), cores = different(threads, "core");
  long other = overlaps_with(all, record);
  if (count == 0)
    snprintf(remark, size, "no parallel region was seen");
  else if (cores < count)
    snprintf(remark, size, "%ld threads on %ld core%s", count, cores, cores == 1 ? "" : "s");
  else if (other >= 0)
    snprintf(remark, size, "on cores of rank %ld, too", other);
  else if (has_far_memory(record))
    snprintf(remark, size, "may use memory of other nodes only");
  else
    snprintf(remark, size, "%s", has_wandering(threads) ? "threads are not pinned" : "");
}

long verdict_idle_cores(const json_t *all, const char *host) {
  long cores = 0, used = 0;
  json_t *together = json_array();
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *record = json_array_get(all, i);
    if (strcmp(record_text(record, "host"), host) != 0)
      continue;
    cores = record_number(record, "job cores");
    json_array_extend(together, json_object_get(record, "threads"));
  }
  used = different(together, "core");
  json_decref(together);
  return cores > used ? cores - used : 0; /* a false cluster may have more */
}

/* How many ranks the first host has. */
static long ranks_on_host(const json_t *all) {
  long count = 0;
  for (size_t i = 0; i < json_array_size(all); i++)
    count += on_same_host(json_array_get(all, i), json_array_get(all, 0));
  return count;
}

static long odd_ranks(const json_t *all) {
  char remark[VERDICT_MOST_REMARK];
  long count = 0;
  for (size_t i = 0; i < json_array_size(all); i++) {
    verdict_on_rank(all, json_array_get(all, i), remark, sizeof remark);
    count += *remark != '\0';
  }
  return count;
}

/* How many cores a rank of the first host can have: of the job's, where these do for its threads.
 */
static long cores_for_rank(const json_t *all, long ranks) {
  const json_t *first = json_array_get(all, 0);
  long threads = (long)json_array_size(record_list(first, "threads"));
  long own = ranks ? record_number(first, "job cores") / ranks : 1;
  long cores = own < threads ? record_number(first, "cores") / ranks : own;
  return cores > 0 ? cores : 1;
}

void verdict_print(const json_t *all, const struct place_among_ranks *place) {
  char advice[VERDICT_MOST_REMARK];
  long ranks = ranks_on_host(all), odd = odd_ranks(all), cores = cores_for_rank(all, ranks);
  long missing = place->size - (long)json_array_size(all);
  long idle = verdict_idle_cores(all, record_text(json_array_get(all, 0), "host"));
  if (missing)
    fprintf(stderr, "mai-run: check: %ld rank%s left no record\n", missing,
            missing == 1 ? " has" : "s have");
  if (json_array_size(all) == 0)
    return;
  if (odd == 0 && idle < ranks) {
    fputs("mai-run: check: fine: each thread has a core of its own\n", stderr);
    return;
  }
  launcher_advice(place, ranks, cores, advice, sizeof advice);
  if (odd == 0)
    fprintf(stderr,
            "mai-run: check: fine, but %ld cores are idle; for all: OMP_NUM_THREADS=%ld %s\n", idle,
            cores, advice);
  else
    fprintf(stderr,
            "mai-run: check: %ld of %zu ranks could do better; write: OMP_NUM_THREADS=%ld %s\n",
            odd, json_array_size(all), cores, advice);
}
