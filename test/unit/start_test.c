/*===-- quick_test.c - a machine that is read quickly is the same -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Compares what NUMARCH_QUICK reads with what hwloc tells, with the process bound to several sets of
 * CPUs in turn: quick_test quick|hwloc says which of the two is to be used here.
 */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numarch.h"
#include "numarch/lib/quick.h"

static int failures;

#define SAME(left, right)                                                                          \
  do {                                                                                             \
    if ((left) != (right)) {                                                                       \
      printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #left, (long long)(left),        \
             (long long)(right));                                                                  \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static void compare_cpus(const numarch_t *quick, const numarch_t *other) {
  SAME(numarch_cpu_count(quick), numarch_cpu_count(other));
  for (uint32_t i = 0; i < numarch_cpu_count(other) && !failures; i++) {
    const struct numarch_cpu *a = numarch_get_cpu(quick, i);
    const struct numarch_cpu *b = numarch_get_cpu(other, i);
    SAME(a->os_index, b->os_index);
    SAME(a->core, b->core);
    SAME(a->smt, b->smt);
    SAME(a->package, b->package);
    SAME(a->node, b->node);
    SAME(a->allowed, b->allowed);
  }
}

static void compare_caches(const numarch_t *quick, const numarch_t *other) {
  SAME(numarch_cache_count(quick), numarch_cache_count(other));
  for (uint32_t i = 0; i < numarch_cache_count(other) && !failures; i++) {
    const struct numarch_cache *a = numarch_get_cache(quick, i);
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

static void compare_node(const numarch_t *quick, const numarch_t *other, uint32_t node) {
  const struct numarch_node *a = numarch_get_node(quick, node);
  const struct numarch_node *b = numarch_get_node(other, node);
  SAME(a->os_index, b->os_index);
  compare_cpus_of(a, b);
  SAME(a->memory_total, b->memory_total);
  SAME(a->allowed, b->allowed);
  SAME(a->memory_kind, b->memory_kind);
  SAME(a->memory_kind_guessed, b->memory_kind_guessed);
  SAME(a->memory_tier, b->memory_tier);
}

static void compare_pair(const numarch_t *quick, const numarch_t *other, uint32_t from,
                         uint32_t to) {
  SAME(numarch_distance(quick, from, to), numarch_distance(other, from, to));
  SAME(numarch_factor(quick, from, to) * 100, numarch_factor(other, from, to) * 100);
  SAME(numarch_factor_source(quick, from, to), numarch_factor_source(other, from, to));
  SAME(numarch_latency(quick, from, to), numarch_latency(other, from, to));
  SAME(numarch_bandwidth(quick, from, to), numarch_bandwidth(other, from, to));
}

static void compare_nodes(const numarch_t *quick, const numarch_t *other) {
  SAME(numarch_node_count(quick), numarch_node_count(other));
  for (uint32_t from = 0; from < numarch_node_count(other) && !failures; from++) {
    compare_node(quick, other, from);
    for (uint32_t to = 0; to < numarch_node_count(other); to++)
      compare_pair(quick, other, from, to);
  }
}

static void compare(bool expect_quick) {
  numarch_t *quick = numarch_read_quickly();
  numarch_t *opened = numarch_open(NUMARCH_QUICK);
  numarch_t *other = numarch_open(0);
  SAME(quick != NULL, expect_quick);
  SAME(opened != NULL, other != NULL);
  if (quick && other) {
    SAME(numarch_is_this_system(quick), numarch_is_this_system(other));
    SAME(numarch_core_count(quick), numarch_core_count(other));
    SAME(numarch_package_count(quick), numarch_package_count(other));
    compare_cpus(quick, other);
    compare_caches(quick, other);
    compare_nodes(quick, other);
  } else if (opened && other) {
    compare_cpus(opened, other);
  }
  numarch_close(quick);
  numarch_close(opened);
  numarch_close(other);
}

/* All CPUs, then every one, then every second one from each of the first two on. */
static void compare_bound(const cpu_set_t *all, bool expect_quick) {
  compare(expect_quick);
  for (unsigned step = 0; step < 2 + (unsigned)CPU_COUNT(all); step++) {
    cpu_set_t some;
    CPU_ZERO(&some);
    for (unsigned cpu = 0, rank = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, all) && (step < 2 ? rank++ % 2 == step : rank++ == step - 2))
        CPU_SET(cpu, &some);
    if (CPU_COUNT(&some) == 0)
      continue;
    SAME(sched_setaffinity(0, sizeof some, &some), 0);
    compare(expect_quick);
  }
}

int main(int count, char **words) {
  cpu_set_t all;
  if (count != 2 || sched_getaffinity(0, sizeof all, &all) != 0)
    return 2;
  compare_bound(&all, strcmp(words[1], "quick") == 0);
  puts(failures ? "failed" : "the same");
  return failures != 0;
}
