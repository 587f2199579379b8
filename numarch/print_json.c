/*===-- print_json.c - a machine as JSON -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The keys are an interface, described in numarch(1): add to them, never change them.
 *
 * No value is checked where it is made: what is made of a value that could not be made is NULL
 * itself, so one look at the end is enough.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

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
  return json_pack("{s:I, s:o, s:o, s:o}", "os_index", (json_int_t)node->os_index, "memory_total",
                   json_bytes(node->memory_total), "memory_free",
                   available < 0 ? json_null() : json_integer(available), "cpus",
                   json_cpu_list(machine, node->cpus, node->cpu_count));
}

static json_t *json_cpu(const numarch_t *machine, uint32_t index) {
  const struct numarch_cpu *cpu = numarch_get_cpu(machine, index);
  json_t *node = cpu->node == NUMARCH_NONE
                     ? json_null()
                     : json_integer(numarch_get_node(machine, cpu->node)->os_index);
  return json_pack("{s:I, s:I, s:I, s:I, s:o}", "os_index", (json_int_t)cpu->os_index, "core",
                   (json_int_t)cpu->core, "smt", (json_int_t)cpu->smt, "package",
                   (json_int_t)cpu->package, "node", node);
}

static json_t *json_cache(const numarch_t *machine, uint32_t index) {
  static const char *const kinds[] = {[NUMARCH_CACHE_UNIFIED] = "unified",
                                      [NUMARCH_CACHE_DATA] = "data",
                                      [NUMARCH_CACHE_INSTRUCTION] = "instruction"};
  const struct numarch_cache *cache = numarch_get_cache(machine, index);
  return json_pack("{s:I, s:s, s:o, s:I, s:o}", "level", (json_int_t)cache->level, "kind",
                   kinds[cache->kind], "size", json_bytes(cache->size), "line_size",
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

static json_t *json_machine(const numarch_t *machine, bool whole) {
  uint32_t nodes = numarch_node_count(machine);
  return json_pack("{s:b, s:b, s:I, s:I, s:f, s:o, s:o, s:o, s:o}", "this_system",
                   numarch_is_this_system(machine), "whole_machine", whole, "packages",
                   (json_int_t)numarch_package_count(machine), "cores",
                   (json_int_t)numarch_core_count(machine), "numa_factor",
                   numarch_max_factor(machine), "nodes", json_all(machine, nodes, json_node),
                   "cpus", json_all(machine, numarch_cpu_count(machine), json_cpu), "caches",
                   json_all(machine, numarch_cache_count(machine), json_cache), "distances",
                   json_all(machine, nodes, json_distances));
}

int print_json(const numarch_t *machine, bool whole) {
  json_t *json = json_machine(machine, whole);
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
