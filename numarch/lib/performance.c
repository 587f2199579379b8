/*===-- performance.c - latency, bandwidth and the NUMA factor --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A *table* has a value of each pair of nodes, 0 where it is not known.  Measured values come
 * first, the firmware's second; a factor compares two values of one table only, never of two.
 */
#include <errno.h>

#include "machine.h"

static bool are_nodes(const numarch_t *machine, uint32_t from, uint32_t to) {
  if (from < machine->node_count && to < machine->node_count)
    return true;
  errno = EINVAL;
  return false;
}

/* 0 where the table is missing. */
static double entry(const numarch_t *machine, const double *table, uint32_t from, uint32_t to) {
  return table ? table[(size_t)from * machine->node_count + to] : 0;
}

static bool is_better(enum numarch_metric metric, double value, double other) {
  if (value <= 0 || other <= 0)
    return value > 0;
  return metric == NUMARCH_LATENCY ? value < other : value > other;
}

/* The best value of any node's CPUs. */
static double best_entry(const numarch_t *machine, const double *table, enum numarch_metric metric,
                         uint32_t to) {
  double best = 0;
  for (uint32_t from = 0; from < machine->node_count; from++) {
    double value = entry(machine, table, from, to);
    if (is_better(metric, value, best))
      best = value;
  }
  return best;
}

static double look_up(const numarch_t *machine, enum numarch_source source,
                      enum numarch_metric metric, uint32_t from, uint32_t to) {
  const struct numarch_details *speeds = numarch_speeds(machine);
  const double *table =
      source == NUMARCH_MEASURED ? speeds->measured[metric] : speeds->firmware[metric];
  return from == NUMARCH_NONE ? best_entry(machine, table, metric, to)
                              : entry(machine, table, from, to);
}

double numarch_performance(const numarch_t *machine, enum numarch_source source,
                           enum numarch_metric metric, uint32_t from, uint32_t to) {
  if ((source != NUMARCH_MEASURED && source != NUMARCH_HMAT) ||
      (unsigned)metric >= NUMARCH_METRICS) {
    errno = EINVAL;
    return 0;
  }
  if (!are_nodes(machine, from == NUMARCH_NONE ? 0 : from, to))
    return 0;
  double value = look_up(machine, source, metric, from, to);
  if (value <= 0)
    errno = ENOTSUP;
  return value;
}

/* The first source that has a value. */
static enum numarch_source best_source(const numarch_t *machine, enum numarch_metric metric,
                                       uint32_t from, uint32_t to) {
  if (!are_nodes(machine, from == NUMARCH_NONE ? 0 : from, to))
    return NUMARCH_UNKNOWN;
  if (look_up(machine, NUMARCH_MEASURED, metric, from, to) > 0)
    return NUMARCH_MEASURED;
  return look_up(machine, NUMARCH_HMAT, metric, from, to) > 0 ? NUMARCH_HMAT : NUMARCH_UNKNOWN;
}

static double best_value(const numarch_t *machine, enum numarch_metric metric, uint32_t from,
                         uint32_t to) {
  enum numarch_source source = best_source(machine, metric, from, to);
  /* HMAT has the same errors to say where no source has a value. */
  return numarch_performance(machine, source == NUMARCH_UNKNOWN ? NUMARCH_HMAT : source, metric,
                             from, to);
}

double numarch_latency(const numarch_t *machine, uint32_t from, uint32_t to) {
  return best_value(machine, NUMARCH_LATENCY, from, to);
}

double numarch_bandwidth(const numarch_t *machine, uint32_t from, uint32_t to) {
  return best_value(machine, NUMARCH_READ_BANDWIDTH, from, to);
}

enum numarch_source numarch_latency_source(const numarch_t *machine, uint32_t from, uint32_t to) {
  return best_source(machine, NUMARCH_LATENCY, from, to);
}

enum numarch_source numarch_bandwidth_source(const numarch_t *machine, uint32_t from, uint32_t to) {
  return best_source(machine, NUMARCH_READ_BANDWIDTH, from, to);
}

/* The latency of a node's CPUs to its own memory.  A node without memory has the least of its row
   instead; one whose memory was not measured has none. */
static double local_latency(const numarch_t *machine, const double *table, uint32_t from) {
  if (machine->nodes[from].memory_total > 0)
    return entry(machine, table, from, from);
  double least = 0;
  for (uint32_t to = 0; to < machine->node_count; to++) {
    double latency = entry(machine, table, from, to);
    if (is_better(NUMARCH_LATENCY, latency, least))
      least = latency;
  }
  return least;
}

/* 0 where one of the two latencies is not known. */
static double latency_factor(const numarch_t *machine, const double *table, uint32_t from,
                             uint32_t to) {
  double remote = entry(machine, table, from, to);
  double local = local_latency(machine, table, from);
  return remote > 0 && local > 0 ? remote / local : 0;
}

static double distance_factor(const numarch_t *machine, uint32_t from, uint32_t to) {
  return (double)numarch_distance(machine, from, to) / numarch_distance(machine, from, from);
}

double numarch_factor(const numarch_t *machine, uint32_t from, uint32_t to) {
  if (!are_nodes(machine, from, to))
    return 0;
  double factor =
      latency_factor(machine, numarch_speeds(machine)->measured[NUMARCH_LATENCY], from, to);
  if (factor <= 0)
    factor = latency_factor(machine, numarch_speeds(machine)->firmware[NUMARCH_LATENCY], from, to);
  return factor > 0 ? factor : distance_factor(machine, from, to);
}

enum numarch_source numarch_factor_source(const numarch_t *machine, uint32_t from, uint32_t to) {
  if (!are_nodes(machine, from, to))
    return NUMARCH_UNKNOWN;
  if (latency_factor(machine, numarch_speeds(machine)->measured[NUMARCH_LATENCY], from, to) > 0)
    return NUMARCH_MEASURED;
  if (latency_factor(machine, numarch_speeds(machine)->firmware[NUMARCH_LATENCY], from, to) > 0)
    return NUMARCH_HMAT;
  return machine->distances_told[(size_t)from * machine->node_count + to] ? NUMARCH_SLIT
                                                                          : NUMARCH_ASSUMED;
}

double numarch_max_factor(const numarch_t *machine) {
  double greatest = 1;
  for (uint32_t from = 0; from < machine->node_count; from++)
    for (uint32_t to = 0; to < machine->node_count; to++) {
      bool is_access = machine->nodes[from].cpu_count > 0 && machine->nodes[to].memory_total > 0;
      double factor = is_access ? numarch_factor(machine, from, to) : 0;
      if (factor > greatest)
        greatest = factor;
    }
  return greatest;
}

const char *numarch_measurement_problem(const numarch_t *machine) {
  return numarch_speeds(machine)->measurement_problem;
}
