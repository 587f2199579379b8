/*===-- query.c - questions about a machine ---------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Everything but free memory is a look into arrays, which numarch_open() made or, those of caches,
 * the first question after them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "machine.h"

int numarch_is_this_system(const numarch_t *machine) { return machine->is_this_system; }
uint32_t numarch_node_count(const numarch_t *machine) { return machine->node_count; }
uint32_t numarch_cpu_count(const numarch_t *machine) { return machine->cpu_count; }
uint32_t numarch_core_count(const numarch_t *machine) { return machine->core_count; }
uint32_t numarch_package_count(const numarch_t *machine) { return machine->package_count; }
uint32_t numarch_cache_count(const numarch_t *machine) {
  return numarch_details(machine)->cache_count;
}

static bool exists(uint32_t index, uint32_t count) {
  if (index < count)
    return true;
  errno = EINVAL;
  return false;
}

const struct numarch_node *numarch_get_node(const numarch_t *machine, uint32_t index) {
  return exists(index, machine->node_count) ? &machine->nodes[index] : NULL;
}

const struct numarch_cpu *numarch_get_cpu(const numarch_t *machine, uint32_t index) {
  return exists(index, machine->cpu_count) ? &machine->cpus[index] : NULL;
}

const struct numarch_cache *numarch_get_cache(const numarch_t *machine, uint32_t index) {
  const struct numarch_details *details = numarch_details(machine);
  return exists(index, details->cache_count) ? &details->caches[index] : NULL;
}

uint32_t numarch_node_by_os_index(const numarch_t *machine, uint32_t os_index) {
  for (uint32_t i = 0; i < machine->node_count; i++)
    if (machine->nodes[i].os_index == os_index)
      return i;
  return NUMARCH_NONE;
}

uint32_t numarch_cpu_by_os_index(const numarch_t *machine, uint32_t os_index) {
  for (uint32_t i = 0; i < machine->cpu_count; i++)
    if (machine->cpus[i].os_index == os_index)
      return i;
  return NUMARCH_NONE;
}

/* The line "Node 0 MemFree: 1234 kB" of a node's meminfo; -1 without one. */
static int64_t parse_memory_free(FILE *meminfo) {
  char line[128];
  while (fgets(line, sizeof line, meminfo)) {
    uint64_t kilobytes = 0;
    if (sscanf(line, "Node %*u MemFree: %" SCNu64, &kilobytes) == 1) // NOLINT(cert-err34-c)
      return kilobytes <= INT64_MAX / 1024 ? (int64_t)(kilobytes * 1024) : -1;
  }
  return -1;
}

static int64_t read_memory_free(uint32_t os_index) {
  char path[64];
  snprintf(path, sizeof path, "/sys/devices/system/node/node%" PRIu32 "/meminfo", os_index);
  FILE *meminfo = fopen(path, "re");
  if (!meminfo)
    return -1;
  int64_t bytes = parse_memory_free(meminfo);
  fclose(meminfo);
  return bytes;
}

int64_t numarch_memory_free(const numarch_t *machine, uint32_t index) {
  if (!exists(index, machine->node_count))
    return -1;
  int64_t bytes = machine->is_this_system ? read_memory_free(machine->nodes[index].os_index) : -1;
  if (bytes < 0)
    errno = ENOTSUP;
  return bytes;
}

uint32_t numarch_distance(const numarch_t *machine, uint32_t from, uint32_t to) {
  if (!exists(from, machine->node_count) || !exists(to, machine->node_count))
    return 0;
  return machine->distances[(size_t)from * machine->node_count + to];
}
