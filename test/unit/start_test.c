/*===-- start_test.c - both depths of a machine, and hwloc, agree --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Compares what a start reads from the kernel's files, and then the details beside it, with what
 * hwloc alone tells:
 *   start_test start|hwloc     the running machine, with the process bound to several sets of CPUs
 *                              in turn; which of the two numarch_open() is to read it by
 *   start_test together        the details that threads get which ask at once
 *   start_test described ROOT  all of the machine of the files below ROOT; "not ordinary": hwloc
 *                              would be asked at once
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numarch.h"
#include "numarch/lib/build.h"
#include "numarch/lib/start.h"

static int failures;
static bool is_running; /* the machine; hwloc allows all of a described one */

#define SAME(left, right)                                                                          \
  do {                                                                                             \
    if ((left) != (right)) {                                                                       \
      printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #left, (long long)(left),        \
             (long long)(right));                                                                  \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static void compare_cpus(const numarch_t *start, const numarch_t *other) {
  SAME(numarch_cpu_count(start), numarch_cpu_count(other));
  for (uint32_t i = 0; i < numarch_cpu_count(other) && !failures; i++) {
    const struct numarch_cpu *a = numarch_get_cpu(start, i);
    const struct numarch_cpu *b = numarch_get_cpu(other, i);
    SAME(a->os_index, b->os_index);
    SAME(a->core, b->core);
    SAME(a->smt, b->smt);
    SAME(a->package, b->package);
    SAME(a->node, b->node);
    if (is_running)
      SAME(a->allowed, b->allowed);
  }
}

static void compare_caches(const numarch_t *start, const numarch_t *other) {
  SAME(numarch_cache_count(start), numarch_cache_count(other));
  for (uint32_t i = 0; i < numarch_cache_count(other) && !failures; i++) {
    const struct numarch_cache *a = numarch_get_cache(start, i);
    const struct numarch_cache *b = numarch_get_cache(other, i);
    SAME(a->level, b->level);
    SAME(a->kind, b->kind);
    SAME(a->size, b->size);
    SAME(a->line_size, b->line_size);
    SAME(a->cpu_count, b->cpu_count);
    SAME(a->cpus[0], b->cpus[0]);
    SAME(a->cpus[a->cpu_count - 1], b->cpus[b->cpu_count - 1]);
  }
}

static void compare_cpus_of(const struct numarch_node *a, const struct numarch_node *b) {
  SAME(a->cpu_count, b->cpu_count);
  for (uint32_t i = 0; i < b->cpu_count && !failures; i++)
    SAME(a->cpus[i], b->cpus[i]);
}

static void compare_node(const numarch_t *start, const numarch_t *other, uint32_t node) {
  const struct numarch_node *a = numarch_get_node(start, node);
  const struct numarch_node *b = numarch_get_node(other, node);
  SAME(a->os_index, b->os_index);
  compare_cpus_of(a, b);
  SAME(a->memory_total, b->memory_total);
  if (is_running)
    SAME(a->allowed, b->allowed);
  SAME(a->memory_kind, b->memory_kind);
  SAME(a->memory_kind_guessed, b->memory_kind_guessed);
  SAME(a->memory_tier, b->memory_tier);
}

static void compare_pair(const numarch_t *start, const numarch_t *other, uint32_t from,
                         uint32_t to) {
  SAME(numarch_distance(start, from, to), numarch_distance(other, from, to));
  SAME(numarch_factor(start, from, to) * 100, numarch_factor(other, from, to) * 100);
  SAME(numarch_factor_source(start, from, to), numarch_factor_source(other, from, to));
  SAME(numarch_latency(start, from, to), numarch_latency(other, from, to));
  SAME(numarch_bandwidth(start, from, to), numarch_bandwidth(other, from, to));
}

static void compare_nodes(const numarch_t *start, const numarch_t *other) {
  SAME(numarch_node_count(start), numarch_node_count(other));
  for (uint32_t from = 0; from < numarch_node_count(other) && !failures; from++) {
    compare_node(start, other, from);
    for (uint32_t to = 0; to < numarch_node_count(other); to++)
      compare_pair(start, other, from, to);
  }
}

static void compare(const numarch_t *start, const numarch_t *other) {
  SAME(numarch_core_count(start), numarch_core_count(other));
  SAME(numarch_package_count(start), numarch_package_count(other));
  compare_cpus(start, other);
  compare_nodes(start, other);
  compare_caches(start, other);
  compare_cpus(start, other); /* the details have changed nothing */
  compare_nodes(start, other);
}

static void compare_running(bool expect_start) {
  is_running = true;
  numarch_t *opened = numarch_open(0);
  struct numarch *other = calloc(1, sizeof *other);
  SAME(opened && other && numarch_build_by_hwloc(other, 0) == 0, true);
  SAME(opened && !opened->details, expect_start);
  if (!failures) {
    SAME(numarch_is_this_system(opened), numarch_is_this_system(other));
    compare(opened, other);
  }
  numarch_close(opened);
  numarch_close(other);
}

static void compare_described(const char *root) {
  char folder[4096];
  struct numarch *start = calloc(1, sizeof *start);
  struct numarch *other = calloc(1, sizeof *other);
  snprintf(folder, sizeof folder, "%s/sys/devices/system", root);
  bool ordinary = start && numarch_build_start(start, folder, true);
  SAME(setenv("HWLOC_FSROOT", root, 1), 0);
  SAME(other && numarch_build_by_hwloc(other, NUMARCH_WHOLE_MACHINE) == 0, true);
  if (ordinary && !failures)
    compare(start, other);
  else
    puts("not ordinary");
  numarch_close(start);
  numarch_close(other);
}

/* All CPUs, then every one, then every second one from each of the first two on. */
static void compare_bound(const cpu_set_t *all, bool expect_start) {
  compare_running(expect_start);
  for (unsigned step = 0; step < 2 + (unsigned)CPU_COUNT(all); step++) {
    cpu_set_t some;
    CPU_ZERO(&some);
    for (unsigned cpu = 0, rank = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, all) && (step < 2 ? rank++ % 2 == step : rank++ == step - 2))
        CPU_SET(cpu, &some);
    if (CPU_COUNT(&some) == 0)
      continue;
    SAME(sched_setaffinity(0, sizeof some, &some), 0);
    compare_running(expect_start);
  }
}

static pthread_barrier_t together;

static void *ask(void *machine) {
  pthread_barrier_wait(&together);
  return (void *)numarch_details(machine);
}

/* All are to see what one of them read. */
static void ask_together(void) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  numarch_t *machine = numarch_open(0);
  pthread_barrier_init(&together, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    SAME(pthread_create(&threads[i], NULL, ask, machine), 0);
  for (int i = 0; i < THREADS && !failures; i++) {
    void *details = NULL;
    SAME(pthread_join(threads[i], &details), 0);
    SAME(details && details == machine->details, true);
  }
  pthread_barrier_destroy(&together);
  numarch_close(machine);
}

int main(int count, char **words) {
  cpu_set_t all;
  if (count == 3 && strcmp(words[1], "described") == 0)
    compare_described(words[2]);
  else if (count == 2 && strcmp(words[1], "together") == 0)
    ask_together();
  else if (count == 2 && sched_getaffinity(0, sizeof all, &all) == 0)
    compare_bound(&all, strcmp(words[1], "start") == 0);
  else
    return 2;
  puts(failures ? "failed" : "the same");
  return failures != 0;
}
