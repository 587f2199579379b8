/*===-- print_json.c - a machine as JSON -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The members are an interface, described in numarch(1): add to them, never change them.
 *
 * No value is checked where it is made: what is made of a value that could not be made is NULL
 * itself, so one look at the end is enough.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "numarch/lib/measurement.h"
#include "tool.h"

/* JSON's integers are signed here, and a machine from a file may claim any size. */
static json_t *json_bytes(uint64_t bytes) {
  return json_integer(bytes <= INT64_MAX ? (json_int_t)bytes : INT64_MAX);
}

/* `array` with `value` at its end; NULL where one of them is. */
static json_t *append(json_t *array, json_t *value) {
  if (json_array_append_new(array, value) == 0)
    return array;
  json_decref(array);
  return NULL;
}

/* CPUs by their OS indices. */
static json_t *json_cpu_list(const numarch_t *machine, const uint32_t *cpus, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    array = append(array, json_integer(numarch_get_cpu(machine, cpus[i])->os_index));
  return array;
}

static json_t *json_node(const numarch_t *machine, uint32_t index) {
  const struct numarch_node *node = numarch_get_node(machine, index);
  int64_t available = numarch_memory_free(machine, index);
  return json_pack("{s:I, s:b, s:o, s:o, s:s, s:b, s:I, s:o}", "os_index",
                   (json_int_t)node->os_index, "allowed", (int)node->allowed, "memory_total",
                   json_bytes(node->memory_total), "memory_free",
                   available < 0 ? json_null() : json_integer(available), "memory_kind",
                   kind_name(node->memory_kind), "memory_kind_guessed",
                   (int)node->memory_kind_guessed, "memory_tier", (json_int_t)node->memory_tier,
                   "cpus", json_cpu_list(machine, node->cpus, node->cpu_count));
}

static json_t *json_cpu(const numarch_t *machine, uint32_t index) {
  const struct numarch_cpu *cpu = numarch_get_cpu(machine, index);
  json_t *node = cpu->node == NUMARCH_NONE
                     ? json_null()
                     : json_integer(numarch_get_node(machine, cpu->node)->os_index);
  return json_pack("{s:I, s:b, s:I, s:I, s:I, s:o}", "os_index", (json_int_t)cpu->os_index,
                   "allowed", (int)cpu->allowed, "core", (json_int_t)cpu->core, "smt",
                   (json_int_t)cpu->smt, "package", (json_int_t)cpu->package, "node", node);
}

static json_t *json_cache(const numarch_t *machine, uint32_t index) {
  const struct numarch_cache *cache = numarch_get_cache(machine, index);
  return json_pack("{s:I, s:s, s:o, s:I, s:o}", "level", (json_int_t)cache->level, "kind",
                   cache_kind_name(cache->kind), "size", json_bytes(cache->size), "line_size",
                   (json_int_t)cache->line_size, "cpus",
                   json_cpu_list(machine, cache->cpus, cache->cpu_count));
}

static json_t *json_distances(const numarch_t *machine, uint32_t from) {
  json_t *row = json_array();
  for (uint32_t to = 0; to < numarch_node_count(machine); to++)
    row = append(row, json_integer(numarch_distance(machine, from, to)));
  return row;
}

/* The objects 0 ... count - 1, each made by `make`. */
static json_t *json_all(const numarch_t *machine, uint32_t count,
                        json_t *make(const numarch_t *machine, uint32_t index)) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    array = append(array, make(machine, i));
  return array;
}

static json_t *json_factors(const numarch_t *machine, uint32_t from) {
  json_t *row = json_array();
  for (uint32_t to = 0; to < numarch_node_count(machine); to++)
    row = append(row, json_real(numarch_factor(machine, from, to)));
  return row;
}

static json_t *json_factor_sources(const numarch_t *machine, uint32_t from) {
  json_t *row = json_array();
  for (uint32_t to = 0; to < numarch_node_count(machine); to++)
    row = append(row, json_string(source_name(numarch_factor_source(machine, from, to))));
  return row;
}

static json_t *json_performance_row(const numarch_t *machine, enum numarch_source source,
                                    enum numarch_metric metric, uint32_t from) {
  json_t *row = json_array();
  for (uint32_t to = 0; to < numarch_node_count(machine); to++) {
    double value = numarch_performance(machine, source, metric, from, to);
    row = append(row, value > 0 ? json_real(value) : json_null());
  }
  return row;
}

/* null where the source tells nothing of the metric. */
static json_t *json_metric(const numarch_t *machine, enum numarch_source source,
                           enum numarch_metric metric) {
  bool known = false;
  for (uint32_t to = 0; to < numarch_node_count(machine) && !known; to++)
    known = numarch_performance(machine, source, metric, NUMARCH_NONE, to) > 0;
  if (!known)
    return json_null();
  json_t *table = json_array();
  for (uint32_t from = 0; from < numarch_node_count(machine); from++)
    table = append(table, json_performance_row(machine, source, metric, from));
  return table;
}

static json_t *json_performance(const numarch_t *machine, enum numarch_source source) {
  json_t *object = json_object();
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    if (json_object_set_new(object, numarch_metric_name((enum numarch_metric)metric),
                            json_metric(machine, source, (enum numarch_metric)metric)) != 0) {
      json_decref(object);
      return NULL;
    }
  return object;
}

static json_t *json_problem(const numarch_t *machine) {
  const char *problem = numarch_measurement_problem(machine);
  if (!problem)
    return json_null();
  /* A file's name need not be UTF-8. */
  json_t *text = json_string(problem);
  return text ? text : json_string("?");
}

/* Where the file of this machine is, or would be. */
static json_t *json_measurement_file(const numarch_t *machine) {
  const char *path = numarch_details(machine)->measurement_path;
  json_t *text = path ? json_string(path) : NULL;
  return text ? text : json_null();
}

static json_t *json_machine(const numarch_t *machine, bool whole) {
  uint32_t nodes = numarch_node_count(machine);
  return json_pack(
      "{s:b, s:b, s:I, s:I, s:f, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "this_system", numarch_is_this_system(machine), "whole_machine", (int)whole, "packages",
      (json_int_t)numarch_package_count(machine), "cores", (json_int_t)numarch_core_count(machine),
      "numa_factor", numarch_max_factor(machine), "numa_factor_source",
      source_name(max_factor_source(machine)), "nodes", json_all(machine, nodes, json_node), "cpus",
      json_all(machine, numarch_cpu_count(machine), json_cpu), "caches",
      json_all(machine, numarch_cache_count(machine), json_cache), "distances",
      json_all(machine, nodes, json_distances), "factors", json_all(machine, nodes, json_factors),
      "factor_sources", json_all(machine, nodes, json_factor_sources), "measured",
      json_performance(machine, NUMARCH_MEASURED), "hmat", json_performance(machine, NUMARCH_HMAT),
      "measurement_file", json_measurement_file(machine), "measurement_problem",
      json_problem(machine));
}

int print_json(const struct shown *shown) {
  json_t *json = json_machine(shown->machine, shown->whole);
  char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) : NULL;
  json_decref(json);
  if (!text) {
    errno = ENOMEM;
    return -1;
  }
  puts(text);
  free(text);
  return 0;
}
