/*===-- firmware.c - latency and bandwidth as the firmware tells --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * hwloc keeps what ACPI's HMAT table tells as *memory attributes*: of a target node and an
 * initiator a value in ns or MiB/s.  Linux hands on those of the nearest initiators only, so that
 * most tables have holes.
 */
#include <errno.h>
#include <stdlib.h>

#include "build.h"

/* A file may claim anything; no memory is slower than a second or faster than an EiB/s. */
enum { GREATEST_LATENCY = 1000000000 };
#define GREATEST_BANDWIDTH ((hwloc_uint64_t)1 << 40)

/* hwloc has the attributes of reading and writing since 2.8; so they are asked for by name. */
struct attribute {
  enum numarch_metric metric;
  const char *names[2]; /* the first that has a value counts */
  hwloc_uint64_t greatest;
};

static const struct attribute attributes[] = {
    {NUMARCH_LATENCY, {"ReadLatency", "Latency"}, GREATEST_LATENCY},
    {NUMARCH_READ_BANDWIDTH, {"ReadBandwidth", "Bandwidth"}, GREATEST_BANDWIDTH},
    {NUMARCH_WRITE_BANDWIDTH, {"WriteBandwidth", "Bandwidth"}, GREATEST_BANDWIDTH},
};

struct pair {
  hwloc_topology_t topology;
  hwloc_obj_t from;
  hwloc_obj_t to;
  hwloc_obj_t cpu; /* one of `from` */
};

static bool get_value(const struct pair *pair, hwloc_memattr_id_t id, hwloc_uint64_t *value) {
  struct hwloc_location initiator = {.type = HWLOC_LOCATION_TYPE_CPUSET,
                                     .location.cpuset = pair->cpu->cpuset};
  if (hwloc_memattr_get_value(pair->topology, id, pair->to, &initiator, 0, value) == 0)
    return true;
  initiator.type = HWLOC_LOCATION_TYPE_OBJECT;
  initiator.location.object = pair->from;
  return hwloc_memattr_get_value(pair->topology, id, pair->to, &initiator, 0, value) == 0;
}

/* 0 where hwloc has no value or no sane one. */
static double find_value(const struct pair *pair, const struct attribute *attribute) {
  for (size_t i = 0; i < sizeof attribute->names / sizeof *attribute->names; i++) {
    hwloc_memattr_id_t id = 0;
    hwloc_uint64_t value = 0;
    if (hwloc_memattr_get_by_name(pair->topology, attribute->names[i], &id) == 0 &&
        get_value(pair, id, &value) && value > 0 && value <= attribute->greatest)
      return (double)value;
  }
  return 0;
}

static bool find_pair(const struct numarch *machine, uint32_t from, uint32_t to,
                      struct pair *pair) {
  const struct numarch_node *node = &machine->nodes[from];
  if (node->cpu_count == 0 || machine->nodes[to].memory_total == 0)
    return false;
  unsigned cpu = machine->cpus[node->cpus[0]].os_index;
  pair->cpu = hwloc_get_pu_obj_by_os_index(pair->topology, cpu);
  pair->from = hwloc_get_numanode_obj_by_os_index(pair->topology, node->os_index);
  pair->to = hwloc_get_numanode_obj_by_os_index(pair->topology, machine->nodes[to].os_index);
  return pair->cpu && pair->from && pair->to;
}

/* Most machines tell nothing: then there is no table. */
static bool is_told(hwloc_topology_t topology, const struct attribute *attribute) {
  for (size_t i = 0; i < sizeof attribute->names / sizeof *attribute->names; i++) {
    hwloc_memattr_id_t id = 0;
    unsigned targets = 0;
    if (hwloc_memattr_get_by_name(topology, attribute->names[i], &id) == 0 &&
        hwloc_memattr_get_targets(topology, id, NULL, 0, &targets, NULL, NULL) == 0 && targets > 0)
      return true;
  }
  return false;
}

static int build_table(struct numarch_details *details, const struct numarch *machine,
                       hwloc_topology_t topology, const struct attribute *attribute) {
  if (!is_told(topology, attribute))
    return 0;
  double *table = calloc(machine->node_count, machine->node_count * sizeof *table);
  if (!table)
    return -1;
  details->firmware[attribute->metric] = table;
  struct pair pair = {.topology = topology};
  for (uint32_t from = 0; from < machine->node_count; from++)
    for (uint32_t to = 0; to < machine->node_count; to++)
      if (find_pair(machine, from, to, &pair))
        table[(size_t)from * machine->node_count + to] = find_value(&pair, attribute);
  return 0;
}

int numarch_build_firmware(struct numarch_details *details, const struct numarch *machine,
                           hwloc_topology_t topology) {
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (build_table(details, machine, topology, &attributes[i]) != 0)
      return -1;
  return 0;
}
