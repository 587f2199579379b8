/*===-- numarch_test.c - what numarch.h promises of any machine -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Reads the machine of the environment in both views and checks the promises of the header: errors,
 * and that what is said of nodes, CPUs and caches fits together.
 */
#include <errno.h>
#include <stdbool.h>

#include "check.h"
#include "numarch.h"

static void check_ascending(const uint32_t *cpus, uint32_t count, uint32_t cpu_count) {
  for (uint32_t i = 0; i < count; i++) {
    CHECK(cpus[i] < cpu_count);
    CHECK(i == 0 || cpus[i - 1] < cpus[i]);
  }
}

static bool contains(const struct numarch_node *node, uint32_t cpu) {
  for (uint32_t i = 0; i < node->cpu_count; i++)
    if (node->cpus[i] == cpu)
      return true;
  return false;
}

static void check_memory_free(const numarch_t *machine, uint32_t index) {
  errno = 0;
  int64_t available = numarch_memory_free(machine, index);
  if (available < 0)
    CHECK(available == -1 && errno == ENOTSUP);
  else
    CHECK(numarch_is_this_system(machine) &&
          (uint64_t)available <= numarch_get_node(machine, index)->memory_total);
}

/* Every CPU is a CPU of at most one node. */
static void check_nodes(const numarch_t *machine) {
  uint32_t cpus = 0;
  CHECK(numarch_node_count(machine) >= 1);
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    const struct numarch_node *node = numarch_get_node(machine, i);
    CHECK(numarch_node_by_os_index(machine, node->os_index) == i);
    check_ascending(node->cpus, node->cpu_count, numarch_cpu_count(machine));
    check_memory_free(machine, i);
    cpus += node->cpu_count;
  }
  CHECK(cpus <= numarch_cpu_count(machine));
}

/* A CPU of a node with memory is nearest to that node. */
static void check_node_of_cpu(const numarch_t *machine, uint32_t cpu) {
  uint32_t nearest = numarch_get_cpu(machine, cpu)->node;
  if (nearest != NUMARCH_NONE)
    CHECK(numarch_get_node(machine, nearest) &&
          numarch_get_node(machine, nearest)->memory_total > 0);
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    const struct numarch_node *node = numarch_get_node(machine, i);
    CHECK(node->memory_total == 0 || nearest != NUMARCH_NONE);
    CHECK(!contains(node, cpu) || node->memory_total == 0 || nearest == i);
  }
}

/* The CPUs of a core follow one another, with ranks 0, 1, 2, ... */
static void check_cpus(const numarch_t *machine) {
  CHECK(numarch_cpu_count(machine) >= 1);
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(machine, i);
    const struct numarch_cpu *previous = i > 0 ? numarch_get_cpu(machine, i - 1) : NULL;
    bool new_core = !previous || previous->core != cpu->core;
    CHECK(numarch_cpu_by_os_index(machine, cpu->os_index) == i);
    CHECK(cpu->core < numarch_core_count(machine));
    CHECK(cpu->package < numarch_package_count(machine));
    CHECK(cpu->smt == (new_core ? 0 : previous->smt + 1));
    check_node_of_cpu(machine, i);
  }
}

static void check_caches(const numarch_t *machine) {
  for (uint32_t i = 0; i < numarch_cache_count(machine); i++) {
    const struct numarch_cache *cache = numarch_get_cache(machine, i);
    CHECK(cache->level >= 1 && cache->level <= 5);
    CHECK(cache->cpu_count >= 1);
    check_ascending(cache->cpus, cache->cpu_count, numarch_cpu_count(machine));
    CHECK(i == 0 || numarch_get_cache(machine, i - 1)->level <= cache->level);
  }
}

static void check_distances(const numarch_t *machine) {
  double greatest = 1;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++)
    for (uint32_t j = 0; j < numarch_node_count(machine); j++) {
      double factor = numarch_factor(machine, i, j);
      bool is_access = numarch_get_node(machine, i)->cpu_count > 0 &&
                       numarch_get_node(machine, j)->memory_total > 0;
      CHECK(numarch_distance(machine, i, j) > 0);
      CHECK(factor > 0 && (i != j || factor == 1));
      CHECK(numarch_factor_source(machine, i, j) <= NUMARCH_ASSUMED);
      greatest = is_access && factor > greatest ? factor : greatest;
    }
  CHECK(numarch_max_factor(machine) == greatest);
}

/* A value is known just where it has a source, and the best of all nodes is the value of one. */
static void check_performance(const numarch_t *machine) {
  for (uint32_t to = 0; to < numarch_node_count(machine); to++) {
    double best = 0;
    for (uint32_t from = 0; from < numarch_node_count(machine); from++) {
      double bandwidth = numarch_bandwidth(machine, from, to);
      errno = 0;
      CHECK(numarch_latency(machine, from, to) > 0 || errno == ENOTSUP);
      CHECK((bandwidth > 0) == (numarch_bandwidth_source(machine, from, to) != NUMARCH_UNKNOWN));
      best = bandwidth > best ? bandwidth : best;
    }
    CHECK(numarch_bandwidth(machine, NUMARCH_NONE, to) == best);
  }
}

/* Tiers are 0, 1, 2, ...: each has a node. */
static void check_tiers(const numarch_t *machine) {
  uint32_t nodes = numarch_node_count(machine);
  for (uint32_t i = 0; i < nodes; i++) {
    uint32_t tier = numarch_get_node(machine, i)->memory_tier;
    bool has_faster = tier == 0;
    for (uint32_t j = 0; j < nodes; j++)
      has_faster = has_faster || numarch_get_node(machine, j)->memory_tier == tier - 1;
    CHECK(has_faster);
  }
}

#define CHECK_EINVAL(call) CHECK((errno = 0, !(call)) && errno == EINVAL)

static void check_errors(const numarch_t *machine) {
  uint32_t nodes = numarch_node_count(machine);
  CHECK_EINVAL(numarch_get_node(machine, nodes));
  CHECK_EINVAL(numarch_get_cpu(machine, numarch_cpu_count(machine)));
  CHECK_EINVAL(numarch_get_cache(machine, numarch_cache_count(machine)));
  CHECK_EINVAL(numarch_get_node(machine, NUMARCH_NONE));
  CHECK_EINVAL(numarch_distance(machine, nodes, 0));
  CHECK_EINVAL(numarch_distance(machine, 0, nodes));
  CHECK_EINVAL(numarch_factor(machine, nodes, nodes) != 0);
  CHECK_EINVAL(numarch_memory_free(machine, nodes) != -1);
  CHECK_EINVAL(numarch_latency(machine, nodes, 0) != 0);
  CHECK_EINVAL(numarch_bandwidth(machine, NUMARCH_NONE, nodes) != 0);
  CHECK_EINVAL(numarch_performance(machine, NUMARCH_SLIT, NUMARCH_LATENCY, 0, 0) != 0);
  CHECK_EINVAL(numarch_performance(machine, NUMARCH_HMAT, NUMARCH_METRICS, 0, 0) != 0);
  CHECK_EINVAL(numarch_factor_source(machine, nodes, 0) != NUMARCH_UNKNOWN);
  CHECK_EINVAL(numarch_latency_source(machine, 0, nodes) != NUMARCH_UNKNOWN);
  CHECK(numarch_node_by_os_index(machine, NUMARCH_NONE) == NUMARCH_NONE);
  CHECK(numarch_cpu_by_os_index(machine, NUMARCH_NONE) == NUMARCH_NONE);
}

static uint32_t check_view(unsigned flags) {
  numarch_t *machine = numarch_open(flags);
  CHECK(machine);
  if (!machine)
    return 0;
  check_nodes(machine);
  check_cpus(machine);
  check_caches(machine);
  check_distances(machine);
  check_performance(machine);
  check_tiers(machine);
  check_errors(machine);
  uint32_t cpus = numarch_cpu_count(machine);
  numarch_close(machine);
  return cpus;
}

int main(void) {
  numarch_close(NULL);
  CHECK_EINVAL(numarch_open(4));
  CHECK_EINVAL(numarch_open(~0U));
  uint32_t allowed = check_view(0);
  uint32_t all = check_view(NUMARCH_WHOLE_MACHINE);
  CHECK(allowed <= all);
  printf("%s\n", failures ? "failed" : "every promise kept");
  return failures != 0;
}
