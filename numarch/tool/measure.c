/*===-- measure.c - measures latency and bandwidth of all pairs --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For each node with memory: memory there, through which the CPUs of each node with CPUs go.  It is
 * so much that the caches of no node hold a noticeable part of it.
 */
#include "measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the last-level caches of a node together.  Every second cache line is used for latencies. */
enum { TIMES_THE_CACHES = 8, USUAL_LINE = 64 };

static const uint64_t MEBIBYTE = UINT64_C(1) << 20;
static const uint64_t LEAST_BYTES = UINT64_C(1) << 16;
static const uint64_t LEAST_BYTES_OF_CPU = UINT64_C(1) << 14;
static const uint64_t USUAL_LEAST_BYTES = UINT64_C(1) << 26;
static const uint64_t USUAL_MOST_BYTES = UINT64_C(1) << 32;
static const uint64_t QUICK_MOST_BYTES = UINT64_C(1) << 26;

/* That a run takes, at least. */
static const double USUAL_SECONDS = 0.05;
static const double QUICK_SECONDS = 0.005;

/* How often what others have disturbed is measured again, and how many values that are not believed
   are named. */
enum { MOST_REPETITIONS = 3, MOST_NAMED = 6 };

/* One value: of a pair of nodes, by some CPUs of the first. */
struct subject {
  enum numarch_metric metric;
  uint32_t from;
  uint32_t to;
  struct measure_cpus cpus;
};

/* One that is not believed. */
struct refusal {
  struct subject subject;
  struct measure_verdict verdict;
  unsigned runs;
  unsigned disturbed;
};

/* All of them; the first are named. */
struct refusals {
  struct refusal named[MOST_NAMED];
  uint32_t count;
};

/* What the steps of a measurement share. */
struct session {
  const numarch_t *machine;
  const struct measure_options *options;
  double seconds; /* of a run */
  struct numarch_measurement *result;
  struct refusals refusals;
  uint32_t busy_nodes; /* whose memory is left out, because others disturbed it */
  unsigned repetitions_left;
  uint64_t cached; /* bytes that the caches of a node hold */
  size_t stride;   /* from pointer to pointer */
  uint32_t pairs;  /* to be measured */
  uint32_t done;
  uint32_t *os_cpus; /* room for all CPUs of a node */
};

static uint32_t os_index(const struct session *session, uint32_t node) {
  return numarch_get_node(session->machine, node)->os_index;
}

static bool has_cpus(const struct session *session, uint32_t node) {
  return numarch_get_node(session->machine, node)->cpu_count > 0;
}

static bool has_memory(const struct session *session, uint32_t node) {
  return numarch_get_node(session->machine, node)->memory_total > 0;
}

static uint32_t count_nodes(const struct session *session,
                            bool counts(const struct session *session, uint32_t node)) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_node_count(session->machine); i++)
    count += counts(session, i);
  return count;
}

/*===-- How much memory ----------------------------------------------------===*/

static bool is_of_node(const struct session *session, const struct numarch_cache *cache,
                       uint32_t node) {
  return numarch_get_cpu(session->machine, cache->cpus[0])->node == node;
}

/* All caches of a level that the CPUs of a node have. */
static uint64_t level_bytes(const struct session *session, uint32_t node, uint32_t level) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < numarch_cache_count(session->machine); i++) {
    const struct numarch_cache *cache = numarch_get_cache(session->machine, i);
    if (cache->level == level && cache->kind != NUMARCH_CACHE_INSTRUCTION &&
        is_of_node(session, cache, node))
      bytes += cache->size;
  }
  return bytes;
}

static uint64_t cached_bytes(const struct session *session) {
  uint64_t most = 0;
  for (uint32_t node = 0; node < numarch_node_count(session->machine); node++)
    for (uint32_t level = 1; level <= 5; level++) {
      uint64_t bytes = level_bytes(session, node, level);
      most = bytes > most ? bytes : most;
    }
  return most;
}

static uint32_t line_bytes(const struct session *session) {
  uint32_t longest = USUAL_LINE;
  for (uint32_t i = 0; i < numarch_cache_count(session->machine); i++) {
    uint32_t line = numarch_get_cache(session->machine, i)->line_size;
    longest = line > longest && line <= 4096 ? line : longest;
  }
  return longest;
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most) {
  return value < least ? least : value > most ? most : value;
}

/* Each CPU has a part of its own. */
static uint64_t least_bytes(const struct session *session) {
  uint64_t bytes = LEAST_BYTES_OF_CPU * numarch_cpu_count(session->machine);
  return bytes > LEAST_BYTES ? bytes : LEAST_BYTES;
}

static uint64_t wanted_bytes(const struct session *session) {
  if (session->options->bytes)
    return clamp(session->options->bytes, least_bytes(session), UINT64_MAX);
  uint64_t most = session->options->quick ? QUICK_MOST_BYTES : USUAL_MOST_BYTES;
  return clamp(session->cached * TIMES_THE_CACHES, USUAL_LEAST_BYTES, most);
}

/* At most half of what is free: others need memory too, and the kernel does before it swaps.
   0 after a word on standard error. */
static size_t affordable_bytes(const struct session *session, uint32_t node) {
  int64_t free_bytes = numarch_memory_free(session->machine, node);
  uint64_t limit = free_bytes >= 0 ? (uint64_t)free_bytes / 2 : 0;
  uint64_t bytes = wanted_bytes(session);
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  bytes = (bytes < limit ? bytes : limit) / page * page;
  if (bytes >= least_bytes(session))
    return (size_t)bytes;
  if (free_bytes < 0)
    fprintf(stderr, "numarch: node %" PRIu32 ": the kernel does not tell how much is free\n",
            os_index(session, node));
  else
    fprintf(stderr, "numarch: node %" PRIu32 ": %" PRId64 " KiB are free, too little to measure\n",
            os_index(session, node), free_bytes / 1024);
  return 0;
}

/*===-- Pairs --------------------------------------------------------------===*/

/* One line on a terminal, or a line each. */
static void show_progress(const struct session *session, uint32_t from, uint32_t to) {
  const bool is_terminal = isatty(STDERR_FILENO);
  if (session->options->quiet || (!is_terminal && !session->options->verbose))
    return;
  fprintf(stderr, "%smeasuring node %" PRIu32 " -> %" PRIu32 " (%" PRIu32 " of %" PRIu32 ")%s",
          is_terminal ? "\r" : "numarch: ", os_index(session, from), os_index(session, to),
          session->done + 1, session->pairs, is_terminal ? " " : "\n");
}

static void end_progress(void) {
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}

static double *place_of(const struct session *session, enum numarch_metric metric, uint32_t from,
                        uint32_t to) {
  return &session->result->tables[metric][(size_t)from * session->result->count + to];
}

static void list_cpus(const struct session *session, uint32_t node, struct measure_cpus *cpus) {
  const struct numarch_node *of = numarch_get_node(session->machine, node);
  *cpus = (struct measure_cpus){.os_indices = session->os_cpus, .count = of->cpu_count};
  for (uint32_t i = 0; i < of->cpu_count; i++)
    cpus->os_indices[i] = numarch_get_cpu(session->machine, of->cpus[i])->os_index;
}

/* A kernel that was told CPUs may take them away: a cpuset that changed, a CPU that went offline.
 */
static int complain_of_cpus(const struct session *session, uint32_t node) {
  end_progress();
  fprintf(stderr, "numarch: the CPUs of node %" PRIu32 " cannot be used: %s\n",
          os_index(session, node), strerror(errno));
  return -1;
}

/*===-- Values that are believed -------------------------------------------===*/

static int run_more(const struct session *session, const struct measure_buffer *buffer,
                    const struct subject *subject, struct measure_runs *runs) {
  if (subject->metric == NUMARCH_LATENCY)
    return measure_latency(buffer, subject->cpus.os_indices[0], session->seconds, runs);
  return measure_bandwidth(buffer, subject->metric, &subject->cpus, session->seconds, runs);
}

static void refuse(struct session *session, const struct subject *subject,
                   const struct measure_runs *runs, const struct measure_verdict *verdict) {
  struct refusals *refusals = &session->refusals;
  if (refusals->count < MOST_NAMED)
    refusals->named[refusals->count] = (struct refusal){.subject = *subject,
                                                        .verdict = *verdict,
                                                        .runs = runs->count + runs->disturbed,
                                                        .disturbed = runs->disturbed};
  refusals->count++;
}

/* More runs until they agree, or are as many as there may be. */
static int measure_value(struct session *session, const struct measure_buffer *buffer,
                         const struct subject *subject) {
  struct measure_runs runs = {0};
  struct measure_verdict verdict = {0};
  for (unsigned tried = 0; tried < MEASURE_MOST_RUNS && !verdict.agree;
       tried += MEASURE_FEWEST_RUNS) {
    if (run_more(session, buffer, subject, &runs) != 0)
      return complain_of_cpus(session, subject->from);
    verdict = measure_judge(&runs);
  }
  if (verdict.agree)
    *place_of(session, subject->metric, subject->from, subject->to) = verdict.median;
  else
    refuse(session, subject, &runs, &verdict);
  return 0;
}

static int measure_latency_of(struct session *session, const struct measure_buffer *buffer,
                              uint32_t from, uint32_t to) {
  struct subject subject = {.metric = NUMARCH_LATENCY, .from = from, .to = to};
  list_cpus(session, from, &subject.cpus);
  return measure_value(session, buffer, &subject);
}

static int measure_bandwidths_of(struct session *session, const struct measure_buffer *buffer,
                                 uint32_t from, uint32_t to) {
  struct measure_cpus all;
  list_cpus(session, from, &all);
  struct measure_cpus one = {.os_indices = all.os_indices, .count = 1};
  for (int metric = NUMARCH_READ_BANDWIDTH; metric < NUMARCH_METRICS; metric++) {
    struct subject subject = {.metric = (enum numarch_metric)metric,
                              .from = from,
                              .to = to,
                              .cpus = metric < NUMARCH_CPU_READ_BANDWIDTH ? all : one};
    if (measure_value(session, buffer, &subject) != 0)
      return -1;
  }
  return 0;
}

/* Latencies first: writing destroys the pointers. */
static int measure_pairs(struct session *session, const struct measure_buffer *buffer,
                         uint32_t to) {
  measure_link(buffer, session->stride);
  for (uint32_t from = 0; from < session->result->count; from++) {
    if (!has_cpus(session, from))
      continue;
    show_progress(session, from, to);
    if (measure_latency_of(session, buffer, from, to) != 0)
      return -1;
  }
  for (uint32_t from = 0; from < session->result->count; from++) {
    if (!has_cpus(session, from))
      continue;
    show_progress(session, from, to);
    if (measure_bandwidths_of(session, buffer, from, to) != 0)
      return -1;
    session->done++;
  }
  return 0;
}

/*===-- Other programs -----------------------------------------------------===*/

static bool is_busy(const struct session *session, double others) {
  return measure_is_busy(others, numarch_cpu_count(session->machine));
}

static void look_at_others(const struct session *session) {
  struct measure_load before = measure_read_load();
  measure_watch();
  struct measure_load after = measure_read_load();
  double others = measure_others(&before, &after);
  if (is_busy(session, others))
    fprintf(stderr,
            "numarch: other programs keep %.1f CPUs busy: nothing that they disturb is kept\n",
            others);
}

static void forget_values(const struct session *session, uint32_t to) {
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    for (uint32_t from = 0; from < session->result->count; from++)
      *place_of(session, (enum numarch_metric)metric, from, to) = 0;
}

/* Once more while others disturb it; in the end without a value. */
static int measure_undisturbed(struct session *session, const struct measure_buffer *buffer,
                               uint32_t to) {
  const struct refusals refusals = session->refusals;
  const uint32_t done = session->done;
  for (;;) {
    struct measure_load before = measure_read_load();
    if (measure_pairs(session, buffer, to) != 0)
      return -1;
    struct measure_load after = measure_read_load();
    double others = measure_others(&before, &after);
    if (!is_busy(session, others))
      return 0;
    session->refusals = refusals;
    forget_values(session, to);
    if (session->repetitions_left == 0) {
      end_progress();
      fprintf(stderr,
              "numarch: memory of node %" PRIu32 ": not kept: other programs kept %.1f CPUs busy\n",
              os_index(session, to), others);
      session->busy_nodes++;
      return 0;
    }
    session->repetitions_left--;
    session->done = done;
  }
}

/*===-- Memory -------------------------------------------------------------===*/

/* The memory is filled by a CPU that may be at the other end of the machine, but only once. */
static int measure_memory_of(struct session *session, uint32_t to) {
  end_progress();
  bool several = count_nodes(session, has_memory) > 1;
  size_t bytes = affordable_bytes(session, to);
  struct measure_buffer buffer;
  if (bytes == 0 || measure_buffer_get(&buffer, bytes, os_index(session, to), several) != 0)
    return -1;
  int result = measure_undisturbed(session, &buffer, to);
  struct numarch_measurement *values = session->result;
  values->huge_pages = values->huge_pages && buffer.huge_pages;
  values->bytes = values->bytes && values->bytes < bytes ? values->bytes : bytes;
  measure_buffer_free(&buffer);
  return result;
}

/*===-- All ----------------------------------------------------------------===*/

static int compare_indices(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* The file has its nodes in the order of their OS indices, the machine in that of the topology. */
static int sort_nodes(const struct numarch_measurement *measured,
                      struct numarch_measurement *sorted) {
  uint32_t count = measured->count;
  if (numarch_measurement_init(sorted, count) != 0)
    return -1;
  memcpy(sorted->nodes, measured->nodes, count * sizeof *sorted->nodes);
  qsort(sorted->nodes, count, sizeof *sorted->nodes, compare_indices);
  sorted->bytes = measured->bytes;
  sorted->quick = measured->quick;
  sorted->huge_pages = measured->huge_pages;
  numarch_measurement_add(sorted, measured, false);
  return 0;
}

static void warn(const struct session *session) {
  const struct numarch_measurement *result = session->result;
  if (result->bytes < session->cached * TIMES_THE_CACHES / 2)
    fprintf(stderr,
            "numarch: %" PRIu64 " MiB are little beside %" PRIu64 " MiB of caches: values may be "
            "those of caches\n",
            result->bytes / MEBIBYTE, session->cached / MEBIBYTE);
  if (!result->huge_pages)
    fputs("numarch: the kernel gave no huge pages: latencies include address translation\n",
          stderr);
}

static void name_refusal(const struct session *session, const struct refusal *refusal) {
  const struct subject *subject = &refusal->subject;
  const struct measure_verdict *verdict = &refusal->verdict;
  fprintf(stderr, "numarch: node %" PRIu32 " -> %" PRIu32 ", %s: not kept: ",
          os_index(session, subject->from), os_index(session, subject->to),
          numarch_metric_name(subject->metric));
  if (verdict->median > 0)
    fprintf(stderr, "%u runs disagree: their median, %.0f, may be from %.0f to %.0f\n",
            refusal->runs - refusal->disturbed, verdict->median, verdict->least, verdict->most);
  else
    fprintf(stderr, "threads lost their CPUs in %u of %u runs\n", refusal->disturbed,
            refusal->runs);
}

static void name_refusals(const struct session *session) {
  const struct refusals *refusals = &session->refusals;
  for (uint32_t i = 0; i < refusals->count && i < MOST_NAMED; i++)
    name_refusal(session, &refusals->named[i]);
  if (refusals->count > MOST_NAMED)
    fprintf(stderr, "numarch: and %" PRIu32 " more that are not kept\n",
            refusals->count - MOST_NAMED);
  if (refusals->count + session->busy_nodes > 0)
    fputs("numarch: measure again when nothing else runs; what was kept before stays\n", stderr);
}

static int measure_all(struct session *session) {
  look_at_others(session);
  for (uint32_t to = 0; to < session->result->count; to++)
    if (has_memory(session, to) && measure_memory_of(session, to) != 0)
      return -1;
  end_progress();
  warn(session);
  name_refusals(session);
  return 0;
}

static int prepare(struct session *session, const struct measure_options *options) {
  uint32_t count = numarch_node_count(session->machine);
  if (count > NUMARCH_MEASURED_NODES || numarch_measurement_init(session->result, count) != 0)
    return -1;
  for (uint32_t i = 0; i < count; i++)
    session->result->nodes[i] = os_index(session, i);
  session->result->quick = options->quick;
  session->result->huge_pages = true;
  session->seconds = options->quick ? QUICK_SECONDS : USUAL_SECONDS;
  session->repetitions_left = MOST_REPETITIONS;
  session->cached = cached_bytes(session);
  session->stride = (size_t)2 * line_bytes(session);
  session->pairs = count_nodes(session, has_cpus) * count_nodes(session, has_memory);
  session->os_cpus = calloc(numarch_cpu_count(session->machine) + 1UL, sizeof *session->os_cpus);
  return session->os_cpus ? 0 : -1;
}

static enum measure_outcome outcome_of(const struct session *session) {
  return session->refusals.count + session->busy_nodes > 0 ? MEASURE_PARTLY : MEASURE_WHOLLY;
}

enum measure_outcome measure(const numarch_t *machine, const struct measure_options *options,
                             struct numarch_measurement *measurement) {
  struct numarch_measurement values = {0};
  struct session session = {.machine = machine, .options = options, .result = &values};
  *measurement = (struct numarch_measurement){0};
  bool prepared = prepare(&session, options) == 0;
  bool measured = prepared && measure_all(&session) == 0;
  if (measured && sort_nodes(&values, measurement) != 0)
    prepared = measured = false;
  if (!prepared)
    fputs("numarch: out of memory\n", stderr);
  free(session.os_cpus);
  numarch_measurement_free(&values);
  return measured ? outcome_of(&session) : MEASURE_FAILED;
}
