/*===-- machine.c - random calls of numarch.h -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "calls.h"

struct machine machine;

void read_machine(void) {
  machine.numarch = numarch_open(0);
  if (!machine.numarch) {
    perror("numarch_open");
    exit(2);
  }
  machine.page = (size_t)sysconf(_SC_PAGESIZE);
  for (uint32_t i = 0; i < numarch_node_count(machine.numarch); i++) {
    const struct numarch_node *node = numarch_get_node(machine.numarch, i);
    if (node->allowed && node->memory_total && machine.node_count < MOST_NODES)
      machine.nodes[machine.node_count++] = node->os_index;
  }
  for (uint32_t i = 0; i < numarch_cpu_count(machine.numarch); i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(machine.numarch, i);
    if (cpu->allowed && machine.cpu_count < MOST_CPUS)
      machine.cpus[machine.cpu_count++] = cpu->os_index;
  }
}

/* An index below `count` most of the time, and any other at times. */
static uint32_t any_index(struct worker *worker, uint32_t count) {
  if (one_in(worker, 8))
    return one_in(worker, 2) ? NUMARCH_NONE : count + (uint32_t)draw(worker, 1000);
  return (uint32_t)draw(worker, count);
}

/* Either `there`, or an error where `index` is none. */
static void expect_there(struct worker *worker, bool there, uint32_t index, uint32_t count) {
  if (there != (index < count))
    wrong(worker, "index %u of %u is%s there", index, count, there ? "" : " not");
  if (!there)
    expect_errno(worker, EINVAL, 0);
}

static void look_at_objects(struct worker *worker, const numarch_t *numarch) {
  uint32_t count = numarch_node_count(numarch);
  uint32_t index = any_index(worker, count);
  calling(worker, "numarch_get_node(%u)", index);
  const struct numarch_node *node = numarch_get_node(numarch, index);
  expect_there(worker, node, index, count);
  if (node && numarch_node_by_os_index(numarch, node->os_index) != index)
    wrong(worker, "node %u is not found by its OS index", index);
  if (node && node->cpu_count > numarch_cpu_count(numarch))
    wrong(worker, "node %u has %u CPUs", index, node->cpu_count);
  count = numarch_cpu_count(numarch);
  index = any_index(worker, count);
  calling(worker, "numarch_get_cpu(%u)", index);
  const struct numarch_cpu *cpu = numarch_get_cpu(numarch, index);
  expect_there(worker, cpu, index, count);
  if (cpu &&
      (numarch_cpu_by_os_index(numarch, cpu->os_index) != index ||
       cpu->core >= numarch_core_count(numarch) || cpu->package >= numarch_package_count(numarch)))
    wrong(worker, "CPU %u is wrong", index);
  count = numarch_cache_count(numarch);
  index = any_index(worker, count ? count : 1);
  calling(worker, "numarch_get_cache(%u)", index);
  expect_there(worker, numarch_get_cache(numarch, index), index, count);
}

static void look_at_memory(struct worker *worker, const numarch_t *numarch) {
  uint32_t count = numarch_node_count(numarch);
  uint32_t index = any_index(worker, count);
  calling(worker, "numarch_memory_free(%u)", index);
  int64_t bytes = numarch_memory_free(numarch, index);
  if (bytes < -1)
    wrong(worker, "free memory %ld", (long)bytes);
  if (bytes == -1)
    expect_errno(worker, index < count ? ENOTSUP : EINVAL, 0);
}

static void look_at_pair(struct worker *worker, const numarch_t *numarch) {
  uint32_t count = numarch_node_count(numarch);
  uint32_t from = any_index(worker, count);
  uint32_t to = any_index(worker, count);
  bool there = from < count && to < count;
  calling(worker, "numarch_distance(%u, %u)", from, to);
  uint32_t distance = numarch_distance(numarch, from, to);
  if (there ? distance < 1 : distance != 0)
    wrong(worker, "distance %u", distance);
  if (!there)
    expect_errno(worker, EINVAL, 0);
  calling(worker, "numarch_factor(%u, %u)", from, to);
  double factor = numarch_factor(numarch, from, to);
  if (there ? factor <= 0 : factor != 0)
    wrong(worker, "factor %f", factor);
  if (there && numarch_factor_source(numarch, from, to) == NUMARCH_UNKNOWN)
    wrong(worker, "a factor from nowhere");
  unsigned source = (unsigned)draw(worker, 7);
  unsigned metric = (unsigned)draw(worker, NUMARCH_METRICS + 2);
  calling(worker, "numarch_performance(%u, %u, %u, %u)", source, metric, from, to);
  double value = numarch_performance(numarch, (enum numarch_source)source,
                                     (enum numarch_metric)metric, from, to);
  if (value < 0)
    wrong(worker, "performance %f", value);
  if (value == 0)
    expect_errno(worker, EINVAL, ENOTSUP, 0);
}

/* Of one of the two by which nodes are compared: a value and whence it is, or neither. */
static void check_source(struct worker *worker, double value, enum numarch_source source,
                         bool there) {
  if (value < 0 || (value > 0) != (source != NUMARCH_UNKNOWN))
    wrong(worker, "value %f from source %u", value, source);
  if (!there || value == 0)
    expect_errno(worker, EINVAL, there ? ENOTSUP : EINVAL, 0);
}

static void look_at_sources(struct worker *worker, const numarch_t *numarch) {
  uint32_t count = numarch_node_count(numarch);
  uint32_t from = any_index(worker, count);
  uint32_t to = any_index(worker, count);
  bool there = (from < count || from == NUMARCH_NONE) && to < count; /* else the best of all */
  calling(worker, "numarch_latency(%u, %u)", from, to);
  enum numarch_source source = numarch_latency_source(numarch, from, to);
  check_source(worker, numarch_latency(numarch, from, to), source, there);
  calling(worker, "numarch_bandwidth(%u, %u)", from, to);
  source = numarch_bandwidth_source(numarch, from, to);
  check_source(worker, numarch_bandwidth(numarch, from, to), source, there);
  const char *problem = numarch_measurement_problem(numarch);
  if (numarch_max_factor(numarch) < 1 || (problem && !*problem) || !numarch_is_this_system(numarch))
    wrong(worker, "the machine as a whole");
}

static void open_another(struct worker *worker) {
  unsigned flags = (unsigned)draw(worker, 6);
  calling(worker, "numarch_open(%u)", flags);
  numarch_t *other = numarch_open(flags);
  if (!other)
    expect_errno(worker, EINVAL, ENOMEM, 0);
  if (!other != (flags > NUMARCH_WHOLE_MACHINE))
    wrong(worker, "flags %u", flags);
  if (!other)
    return;
  if (numarch_node_count(other) < numarch_node_count(machine.numarch))
    wrong(worker, "%u nodes", numarch_node_count(other));
  look_at_objects(worker, other);
  look_at_pair(worker, other);
  numarch_close(other);
}

void call_numarch(struct worker *worker) {
  static void (*const calls[])(struct worker *, const numarch_t *) = {
      look_at_objects, look_at_memory, look_at_pair, look_at_sources};
  if (one_in(worker, 20))
    open_another(worker);
  else
    calls[draw(worker, 4)](worker, machine.numarch);
  numarch_close(NULL);
}
