/*===-- nodes.c - nodes and which is near ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A CPU's *home* is the node that the kernel counts it to.  That node may have no memory, or none
 * that this process may use; then the CPU's nearest node is another.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "runtime/heap.h"

/* All of hwloc's nodes, those that the machine will not list included. */
struct node_map {
  hwloc_topology_t topology;
  uint32_t count;
  struct numarch_distances distances; /* of node i to node j at i × count + j */
  uint32_t *indices;                  /* of each node its index in the machine, or NUMARCH_NONE */
  hwloc_obj_t *homes;                 /* of each CPU of the machine; NULL: none */
  uint32_t *guests;                   /* of each node: CPUs to which it is the nearest */
};

static hwloc_obj_t get_node(const struct node_map *map, uint32_t index) {
  return hwloc_get_obj_by_type(map->topology, HWLOC_OBJ_NUMANODE, index);
}

/* Whether hwloc knows the memory of a node to be other than the machine's ordinary one: high
   bandwidth, non-volatile, of a GPU. */
static bool is_special(hwloc_obj_t node) {
  return node->subtype && strcmp(node->subtype, "DRAM") != 0;
}

/* The order of nodes that are equally near.  Linux numbers the nodes that have CPUs before those
   that have only memory, so among equals the lowest OS index is the ordinary memory. */
static bool comes_before(hwloc_obj_t node, hwloc_obj_t other) {
  if (is_special(node) != is_special(other))
    return is_special(other);
  return node->os_index < other->os_index;
}

/* hwloc counts a CPU to several nodes where these are near it: to its home, and to memory without
   CPUs of its own (HBM, CXL), which then has the CPUs of the home or of several nodes. */
static bool is_better_home(hwloc_obj_t node, hwloc_obj_t other) {
  if (!other)
    return true;
  int cpus = hwloc_bitmap_weight(node->cpuset);
  int other_cpus = hwloc_bitmap_weight(other->cpuset);
  return cpus != other_cpus ? cpus < other_cpus : comes_before(node, other);
}

static int find_homes(const struct numarch *machine, struct node_map *map) {
  map->homes = (hwloc_obj_t *)calloc(machine->cpu_count, sizeof(hwloc_obj_t));
  if (!map->homes)
    return -1;
  for (uint32_t i = 0; i < map->count; i++) {
    hwloc_obj_t node = get_node(map, i);
    for (uint32_t cpu = 0; cpu < machine->cpu_count; cpu++)
      if (hwloc_bitmap_isset(node->cpuset, machine->cpus[cpu].os_index) &&
          is_better_home(node, map->homes[cpu]))
        map->homes[cpu] = node;
  }
  return 0;
}

/* What is left of the node's CPUs when those are taken away that have a better home. */
static bool is_home_of(hwloc_topology_t topology, hwloc_obj_t node, hwloc_bitmap_t cpus) {
  hwloc_obj_t other = NULL;
  while ((other = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, other)))
    if (other != node && is_better_home(other, node))
      hwloc_bitmap_andnot(cpus, cpus, other->cpuset);
  return !hwloc_bitmap_iszero(cpus);
}

bool numarch_has_own_cpus(hwloc_topology_t topology, hwloc_obj_t node) {
  hwloc_bitmap_t cpus = hwloc_bitmap_dup(node->cpuset);
  bool result = cpus && is_home_of(topology, node, cpus);
  hwloc_bitmap_free(cpus);
  return result;
}

static bool has_memory(hwloc_obj_t node) { return node->attr->numanode.local_memory > 0; }

static bool is_home(const struct numarch *machine, const struct node_map *map, hwloc_obj_t node) {
  for (uint32_t cpu = 0; cpu < machine->cpu_count; cpu++)
    if (map->homes[cpu] == node)
      return true;
  return false;
}

/* Append the CPUs at home on a node to machine->node_cpus. @return how many entries are used */
static uint32_t list_node_cpus(struct numarch *machine, const struct node_map *map,
                               struct numarch_node *node, hwloc_obj_t object, uint32_t used) {
  node->cpus = machine->node_cpus + used;
  for (uint32_t cpu = 0; cpu < machine->cpu_count; cpu++)
    if (map->homes[cpu] == object)
      machine->node_cpus[used + node->cpu_count++] = cpu;
  return used + node->cpu_count;
}

static int list_nodes(struct numarch *machine, struct node_map *map, hwloc_bitmap_t wanted) {
  machine->nodes = minas_alloc_list(map->count, sizeof *machine->nodes);
  machine->node_cpus = minas_alloc_list(machine->cpu_count, sizeof *machine->node_cpus);
  map->indices = calloc(map->count, sizeof *map->indices);
  if (!machine->nodes || !machine->node_cpus || !map->indices)
    return -1;
  uint32_t used = 0;
  for (uint32_t i = 0; i < map->count; i++) {
    hwloc_obj_t object = get_node(map, i);
    map->indices[i] = NUMARCH_NONE;
    /* The kernel never allows the memory of a node that has none: what counts there is its CPUs. */
    if (!hwloc_bitmap_isset(wanted, object->os_index) &&
        (has_memory(object) || !is_home(machine, map, object)))
      continue;
    hwloc_bitmap_clr(wanted, object->os_index); /* once: a broken file may name a node twice */
    map->indices[i] = machine->node_count;
    struct numarch_node *node = &machine->nodes[machine->node_count++];
    node->os_index = object->os_index;
    node->memory_total = object->attr->numanode.local_memory;
    used = list_node_cpus(machine, map, node, object, used);
  }
  return 0;
}

static uint32_t distance(const struct node_map *map, hwloc_obj_t from, hwloc_obj_t to) {
  return map->distances.values[(size_t)from->logical_index * map->count + to->logical_index];
}

/* Where the memory of some nodes is forbidden, several of the others may be equally near to the
   CPUs there: these get as many of them each as can be. */
static bool has_fewer_guests(const struct node_map *map, hwloc_obj_t node, hwloc_obj_t other) {
  bool own_cpus = numarch_has_own_cpus(map->topology, node);
  uint32_t guests = map->guests[node->logical_index];
  uint32_t others_guests = map->guests[other->logical_index];
  if (is_special(node) != is_special(other) || guests == others_guests ||
      own_cpus != numarch_has_own_cpus(map->topology, other))
    return comes_before(node, other);
  return guests < others_guests;
}

/* Whether `node` is nearer to the CPUs of `home` than `other` is.  Nothing is nearer than home,
   even where the firmware's table says so; without a home nothing is known of what is near. */
static bool is_nearer(const struct node_map *map, hwloc_obj_t home, hwloc_obj_t node,
                      hwloc_obj_t other) {
  if (node == home || other == home)
    return node == home;
  if (home && distance(map, home, node) != distance(map, home, other))
    return distance(map, home, node) < distance(map, home, other);
  return has_fewer_guests(map, node, other);
}

static bool is_usable(const struct node_map *map, hwloc_obj_t node) {
  return map->indices[node->logical_index] != NUMARCH_NONE && has_memory(node);
}

/* The node with memory that is nearest to the CPUs of `home`, or NULL. */
static hwloc_obj_t nearest_node(const struct node_map *map, hwloc_obj_t home) {
  hwloc_obj_t nearest = NULL;
  for (uint32_t i = 0; i < map->count; i++) {
    hwloc_obj_t node = get_node(map, i);
    if (is_usable(map, node) && (!nearest || is_nearer(map, home, node, nearest)))
      nearest = node;
  }
  return nearest;
}

/* All CPUs of a home have the same. */
static void lead_from_home(struct numarch *machine, const struct node_map *map, hwloc_obj_t home) {
  hwloc_obj_t nearest = nearest_node(map, home);
  for (uint32_t cpu = 0; cpu < machine->cpu_count; cpu++) {
    if (map->homes[cpu] != home)
      continue;
    machine->cpus[cpu].node = nearest ? map->indices[nearest->logical_index] : NUMARCH_NONE;
    if (nearest)
      map->guests[nearest->logical_index]++;
  }
}

/* The CPUs that are at home with memory first: the others see then where these are few. */
static int find_nearest_nodes(struct numarch *machine, struct node_map *map) {
  map->guests = calloc(map->count, sizeof *map->guests);
  if (!map->guests)
    return -1;
  for (uint32_t i = 0; i < map->count; i++)
    if (is_usable(map, get_node(map, i)))
      lead_from_home(machine, map, get_node(map, i));
  for (uint32_t i = 0; i < map->count; i++)
    if (!is_usable(map, get_node(map, i)))
      lead_from_home(machine, map, get_node(map, i));
  lead_from_home(machine, map, NULL);
  return 0;
}

static int list_distances(struct numarch *machine, const struct node_map *map) {
  machine->distances =
      minas_alloc_list(machine->node_count, machine->node_count * sizeof(uint32_t));
  machine->distances_told =
      minas_alloc_list(machine->node_count, machine->node_count * sizeof(bool));
  if (!machine->distances || !machine->distances_told)
    return -1;
  size_t next = 0;
  for (uint32_t i = 0; i < map->count; i++)
    for (uint32_t j = 0; j < map->count; j++)
      if (map->indices[i] != NUMARCH_NONE && map->indices[j] != NUMARCH_NONE) {
        machine->distances[next] = map->distances.values[(size_t)i * map->count + j];
        machine->distances_told[next++] = map->distances.told[(size_t)i * map->count + j];
      }
  return 0;
}

/* The kernel never allows the memory of a node that has none: what counts there is its CPUs, and
   without these there is nothing to forbid. */
static bool is_allowed(const struct numarch *machine, const struct numarch_node *node,
                       hwloc_const_bitmap_t allowed) {
  if (node->memory_total > 0)
    return hwloc_bitmap_isset(allowed, node->os_index);
  for (uint32_t i = 0; i < node->cpu_count; i++)
    if (machine->cpus[node->cpus[i]].allowed)
      return true;
  return node->cpu_count == 0;
}

static void mark_allowed(struct numarch *machine, const struct numarch_discovery *found) {
  for (uint32_t i = 0; i < machine->cpu_count; i++)
    machine->cpus[i].allowed = hwloc_bitmap_isset(found->allowed_cpus, machine->cpus[i].os_index);
  for (uint32_t i = 0; i < machine->node_count; i++)
    machine->nodes[i].allowed = is_allowed(machine, &machine->nodes[i], found->allowed_nodes);
}

static int build(struct numarch *machine, struct node_map *map, hwloc_bitmap_t wanted) {
  if (numarch_discover_distances(&map->distances, map->topology, map->count) != 0 ||
      find_homes(machine, map) != 0 || list_nodes(machine, map, wanted) != 0)
    return -1;
  /* The description of another machine may have no node that this process is bound to. */
  if (machine->node_count == 0) {
    errno = EINVAL;
    return -1;
  }
  return find_nearest_nodes(machine, map) == 0 ? list_distances(machine, map) : -1;
}

int numarch_build_nodes(struct numarch *machine, const struct numarch_discovery *found) {
  struct node_map map = {
      .topology = found->topology,
      .count = (uint32_t)hwloc_get_nbobjs_by_type(found->topology, HWLOC_OBJ_NUMANODE),
  };
  int result = build(machine, &map, found->nodes);
  if (result == 0)
    mark_allowed(machine, found);
  free(map.distances.values);
  free(map.distances.told);
  free(map.indices);
  free((void *)map.homes);
  free(map.guests);
  return result;
}
