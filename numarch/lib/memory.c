/*===-- memory.c - what the memory of a node is ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * hwloc names the kind of a memory by the subtype of its node or by remarks ("infos").  Where it
 * names none, a node with CPUs is ordinary memory.  One without is compared with the ordinary
 * memory of the CPUs that reach it best: HBM has a multiple of its bandwidth at about its latency,
 * memory behind a link less bandwidth or much more latency.
 */
#include <stdlib.h>
#include <string.h>

#include "build.h"

/* Of the bandwidth of ordinary memory, and of its latency. */
static const double HBM_BANDWIDTH = 1.5;
static const double LINK_BANDWIDTH = 0.7;
static const double LINK_LATENCY = 1.5;

/* What is known of a node from hwloc. */
struct description {
  hwloc_obj_t object;
  enum numarch_memory_kind kind;
  bool told;
};

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool tell(struct description *node, enum numarch_memory_kind kind) {
  node->kind = kind;
  return true;
}

static bool told_by_subtype(struct description *node, const char *subtype) {
  if (strstr(subtype, "GPU"))
    return tell(node, NUMARCH_MEMORY_GPU);
  if (starts_with(subtype, "CXL"))
    return tell(node, NUMARCH_MEMORY_CXL);
  if (strcmp(subtype, "HBM") == 0 || strcmp(subtype, "MCDRAM") == 0)
    return tell(node, NUMARCH_MEMORY_HBM);
  if (strcmp(subtype, "NVM") == 0)
    return tell(node, NUMARCH_MEMORY_NVM);
  return strcmp(subtype, "DRAM") == 0 && tell(node, NUMARCH_MEMORY_DRAM);
}

/* What hwloc says before 2.10, which does not make a subtype of all of it. */
static bool told_by_infos(struct description *node) {
  const char *dax = hwloc_obj_get_info_by_name(node->object, "DAXType");
  if (hwloc_obj_get_info_by_name(node->object, "PCIBusID"))
    return tell(node, NUMARCH_MEMORY_GPU);
  if (hwloc_obj_get_info_by_name(node->object, "CXLDevice"))
    return tell(node, NUMARCH_MEMORY_CXL);
  return dax && strcmp(dax, "NVM") == 0 && tell(node, NUMARCH_MEMORY_NVM);
}

/* "Specific-purpose memory": HBM or CXL, the firmware does not say which. */
static bool is_set_apart(hwloc_obj_t object) {
  const char *dax = hwloc_obj_get_info_by_name(object, "DAXType");
  return (object->subtype && strcmp(object->subtype, "SPM") == 0) ||
         (dax && strcmp(dax, "SPM") == 0);
}

/* The node that has CPUs and reaches `to` best; NUMARCH_NONE where it is not known. */
static uint32_t best_initiator(const struct numarch *machine, uint32_t to) {
  uint32_t best = NUMARCH_NONE;
  for (uint32_t from = 0; from < machine->node_count; from++) {
    double bandwidth = numarch_bandwidth(machine, from, to);
    if (from != to && bandwidth > 0 && numarch_bandwidth(machine, from, from) > 0 &&
        (best == NUMARCH_NONE || bandwidth > numarch_bandwidth(machine, best, to)))
      best = from;
  }
  return best;
}

/* Values of different sources say nothing about one another. */
static double bandwidth_ratio(const struct numarch *machine, uint32_t from, uint32_t to) {
  if (numarch_bandwidth_source(machine, from, to) != numarch_bandwidth_source(machine, from, from))
    return 1;
  return numarch_bandwidth(machine, from, to) / numarch_bandwidth(machine, from, from);
}

static double latency_ratio(const struct numarch *machine, uint32_t from, uint32_t to) {
  enum numarch_source source = numarch_latency_source(machine, from, to);
  if (source == NUMARCH_UNKNOWN || source != numarch_latency_source(machine, from, from))
    return 1;
  return numarch_latency(machine, from, to) / numarch_latency(machine, from, from);
}

static enum numarch_memory_kind guess_by_speed(const struct numarch *machine, uint32_t node) {
  uint32_t from = best_initiator(machine, node);
  if (from == NUMARCH_NONE)
    return NUMARCH_MEMORY_SPECIAL;
  if (bandwidth_ratio(machine, from, node) >= HBM_BANDWIDTH)
    return NUMARCH_MEMORY_HBM;
  if (bandwidth_ratio(machine, from, node) <= LINK_BANDWIDTH ||
      latency_ratio(machine, from, node) >= LINK_LATENCY)
    return NUMARCH_MEMORY_CXL;
  return NUMARCH_MEMORY_DRAM;
}

static void find_kind(struct numarch *machine, hwloc_topology_t topology, uint32_t index) {
  struct numarch_node *node = &machine->nodes[index];
  struct description description = {
      .object = hwloc_get_numanode_obj_by_os_index(topology, node->os_index),
      .kind = NUMARCH_MEMORY_DRAM,
  };
  const char *subtype = description.object->subtype;
  description.told =
      (subtype && told_by_subtype(&description, subtype)) || told_by_infos(&description);
  bool guess =
      !description.told && node->memory_total > 0 &&
      (is_set_apart(description.object) || !numarch_has_own_cpus(topology, description.object));
  node->memory_kind = guess ? guess_by_speed(machine, index) : description.kind;
  node->memory_kind_guessed = guess;
}

/* The order of kinds for programs on CPUs: memory of a GPU is far from them and not theirs. */
static uint32_t rank_of_kind(enum numarch_memory_kind kind) {
  static const uint32_t ranks[] = {
      [NUMARCH_MEMORY_HBM] = 0, [NUMARCH_MEMORY_DRAM] = 1, [NUMARCH_MEMORY_SPECIAL] = 2,
      [NUMARCH_MEMORY_CXL] = 3, [NUMARCH_MEMORY_NVM] = 4,  [NUMARCH_MEMORY_GPU] = 5};
  return ranks[kind];
}

/* hwloc's own tier of a node, since 2.10; NUMARCH_NONE where it has none. */
static uint32_t tier_of_hwloc(hwloc_topology_t topology, const struct numarch_node *node) {
  hwloc_obj_t object = hwloc_get_numanode_obj_by_os_index(topology, node->os_index);
  const char *tier = hwloc_obj_get_info_by_name(object, "MemoryTier");
  if (!tier || *tier < '0' || *tier > '9')
    return NUMARCH_NONE;
  char *end = NULL;
  unsigned long value = strtoul(tier, &end, 10);
  return *end || value >= NUMARCH_NONE ? NUMARCH_NONE : (uint32_t)value;
}

/* Tiers of hwloc and ranks of kinds do not compare: it has to know those of all nodes, or none
   count. */
static bool hwloc_has_tiers(const struct numarch *machine, hwloc_topology_t topology) {
  for (uint32_t i = 0; i < machine->node_count; i++)
    if (machine->nodes[i].memory_total > 0 &&
        tier_of_hwloc(topology, &machine->nodes[i]) == NUMARCH_NONE)
      return false;
  return true;
}

/* The least rank that is greater than those numbered so far. */
static bool next_rank(const struct numarch *machine, const uint32_t *ranks, int64_t last,
                      uint32_t *next) {
  *next = NUMARCH_NONE;
  for (uint32_t i = 0; i < machine->node_count; i++)
    if (machine->nodes[i].memory_total > 0 && ranks[i] > last && ranks[i] < *next)
      *next = ranks[i];
  return *next != NUMARCH_NONE;
}

/* Ranks 0, 3, 7 become tiers 0, 1, 2. */
static void number_tiers(struct numarch *machine, const uint32_t *ranks) {
  uint32_t rank = 0;
  uint32_t tier = 0;
  for (int64_t last = -1; next_rank(machine, ranks, last, &rank); last = rank, tier++)
    for (uint32_t i = 0; i < machine->node_count; i++)
      if (machine->nodes[i].memory_total > 0 && ranks[i] == rank)
        machine->nodes[i].memory_tier = tier;
}

static int find_tiers(struct numarch *machine, hwloc_topology_t topology) {
  uint32_t *ranks = calloc(machine->node_count + (size_t)1, sizeof *ranks);
  if (!ranks)
    return -1;
  bool told = hwloc_has_tiers(machine, topology);
  for (uint32_t i = 0; i < machine->node_count; i++)
    ranks[i] = told ? tier_of_hwloc(topology, &machine->nodes[i])
                    : rank_of_kind(machine->nodes[i].memory_kind);
  number_tiers(machine, ranks);
  free(ranks);
  return 0;
}

int numarch_build_memory(struct numarch *machine, const struct numarch_discovery *found) {
  for (uint32_t i = 0; i < machine->node_count; i++)
    find_kind(machine, found->topology, i);
  return find_tiers(machine, found->topology);
}
