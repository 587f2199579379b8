/*===-- print_csv.c - a machine as comma-separated values --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * One table, a value a line, so that a filter of lines finds whatever is wanted.  Its columns and
 * properties are an interface, described in numarch(1): add to them, never change them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "numarch/lib/measurement.h"
#include "tool.h"

/* "object,index,property,to,value,unit,source": the beginning of a line. */
static void begin(const char *object, uint32_t index, const char *property) {
  printf("%s,%" PRIu32 ",%s,", object, index, property);
}

static void print_number(const char *object, uint32_t index, const char *property, uint64_t value,
                         const char *unit) {
  begin(object, index, property);
  printf(",%" PRIu64 ",%s,\n", value, unit);
}

static void print_word(const char *object, uint32_t index, const char *property,
                       const char *value) {
  begin(object, index, property);
  printf(",%s,,\n", value);
}

static const char *word(bool value) { return value ? "true" : "false"; }

static uint32_t os_node(const numarch_t *machine, uint32_t node) {
  return numarch_get_node(machine, node)->os_index;
}

static void print_machine(const struct shown *shown) {
  const numarch_t *machine = shown->machine;
  print_word("machine", 0, "this_system", word(numarch_is_this_system(machine)));
  print_word("machine", 0, "whole_machine", word(shown->whole));
  print_number("machine", 0, "packages", numarch_package_count(machine), "");
  print_number("machine", 0, "cores", numarch_core_count(machine), "");
  begin("machine", 0, "numa_factor");
  printf(",%.6g,,%s\n", numarch_max_factor(machine), source_name(max_factor_source(machine)));
}

static void print_nodes(const numarch_t *machine) {
  for (uint32_t i = 0; i < numarch_node_count(machine); i++) {
    const struct numarch_node *node = numarch_get_node(machine, i);
    int64_t available = numarch_memory_free(machine, i);
    print_word("node", node->os_index, "allowed", word(node->allowed));
    print_number("node", node->os_index, "memory_total", node->memory_total, "B");
    if (available >= 0)
      print_number("node", node->os_index, "memory_free", (uint64_t)available, "B");
    print_word("node", node->os_index, "memory_kind", kind_name(node->memory_kind));
    print_word("node", node->os_index, "memory_kind_guessed", word(node->memory_kind_guessed));
    print_number("node", node->os_index, "memory_tier", node->memory_tier, "");
    for (uint32_t j = 0; j < node->cpu_count; j++)
      print_number("node", node->os_index, "cpu", numarch_get_cpu(machine, node->cpus[j])->os_index,
                   "");
  }
}

static void print_cpus(const numarch_t *machine) {
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(machine, i);
    print_word("cpu", cpu->os_index, "allowed", word(cpu->allowed));
    print_number("cpu", cpu->os_index, "core", cpu->core, "");
    print_number("cpu", cpu->os_index, "smt", cpu->smt, "");
    print_number("cpu", cpu->os_index, "package", cpu->package, "");
    if (cpu->node != NUMARCH_NONE)
      print_number("cpu", cpu->os_index, "node", os_node(machine, cpu->node), "");
  }
}

static void print_caches(const numarch_t *machine) {
  for (uint32_t i = 0; i < numarch_cache_count(machine); i++) {
    const struct numarch_cache *cache = numarch_get_cache(machine, i);
    print_number("cache", i, "level", cache->level, "");
    print_word("cache", i, "kind", cache_kind_name(cache->kind));
    print_number("cache", i, "size", cache->size, "B");
    print_number("cache", i, "line_size", cache->line_size, "B");
    for (uint32_t j = 0; j < cache->cpu_count; j++)
      print_number("cache", i, "cpu", numarch_get_cpu(machine, cache->cpus[j])->os_index, "");
  }
}

static void print_pair(const numarch_t *machine, uint32_t from, uint32_t to, const char *property,
                       double value, const char *unit, enum numarch_source source) {
  begin("node", os_node(machine, from), property);
  printf("%" PRIu32 ",%.6g,%s,%s\n", os_node(machine, to), value, unit, source_name(source));
}

static void print_performance(const numarch_t *machine, uint32_t from, uint32_t to) {
  static const enum numarch_source sources[] = {NUMARCH_MEASURED, NUMARCH_HMAT};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    for (int metric = 0; metric < NUMARCH_METRICS; metric++) {
      double value =
          numarch_performance(machine, sources[i], (enum numarch_metric)metric, from, to);
      if (value > 0)
        print_pair(machine, from, to, numarch_metric_name((enum numarch_metric)metric), value,
                   metric == NUMARCH_LATENCY ? "ns" : "MiB/s", sources[i]);
    }
}

/* The kernel's distance of a pair is there where the firmware's is not: then it is assumed. */
static void print_pairs(const numarch_t *machine) {
  uint32_t nodes = numarch_node_count(machine);
  for (uint32_t from = 0; from < nodes; from++)
    for (uint32_t to = 0; to < nodes; to++) {
      bool told = machine->distances_told[(size_t)from * nodes + to];
      print_pair(machine, from, to, "distance", numarch_distance(machine, from, to), "",
                 told ? NUMARCH_SLIT : NUMARCH_ASSUMED);
      print_pair(machine, from, to, "factor", numarch_factor(machine, from, to), "",
                 numarch_factor_source(machine, from, to));
      print_performance(machine, from, to);
    }
}

int print_csv(const struct shown *shown) {
  puts("object,index,property,to,value,unit,source");
  print_machine(shown);
  print_nodes(shown->machine);
  print_cpus(shown->machine);
  print_caches(shown->machine);
  print_pairs(shown->machine);
  return 0;
}
