/*===-- caches.c - which CPUs share a cache ---------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <stdlib.h>

#include "build.h"

static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE,  HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE,
                                         HWLOC_OBJ_L2ICACHE, HWLOC_OBJ_L3CACHE,  HWLOC_OBJ_L3ICACHE,
                                         HWLOC_OBJ_L4CACHE,  HWLOC_OBJ_L5CACHE};
enum { TYPES = sizeof types / sizeof *types };

static enum numarch_cache_kind cache_kind(hwloc_obj_cache_type_t type) {
  switch (type) {
  case HWLOC_OBJ_CACHE_DATA:
    return NUMARCH_CACHE_DATA;
  case HWLOC_OBJ_CACHE_INSTRUCTION:
    return NUMARCH_CACHE_INSTRUCTION;
  default:
    return NUMARCH_CACHE_UNIFIED;
  }
}

/* The cache of a type that each of the machine's CPUs uses, or NULL. */
static void find_objects(hwloc_obj_t *objects, const struct numarch *machine,
                         hwloc_topology_t topology, hwloc_obj_type_t type) {
  for (uint32_t i = 0; i < machine->cpu_count; i++) {
    hwloc_obj_t cpu = hwloc_get_pu_obj_by_os_index(topology, machine->cpus[i].os_index);
    objects[i] = cpu ? hwloc_get_ancestor_obj_by_type(topology, type, cpu) : NULL;
  }
}

/* The cache that CPU `first` uses and no CPU before it.  Takes from `objects` what it lists.
   @return how many entries of `cpus` are used */
static uint32_t add_cache(struct numarch_details *details, uint32_t *cpus, hwloc_obj_t *objects,
                          uint32_t first, uint32_t count) {
  hwloc_obj_t object = objects[first];
  struct numarch_cache *cache = &details->caches[details->cache_count++];
  *cache = (struct numarch_cache){
      .level = object->attr->cache.depth,
      .kind = cache_kind(object->attr->cache.type),
      .size = object->attr->cache.size,
      .line_size = object->attr->cache.linesize,
      .cpus = cpus,
  };
  for (uint32_t cpu = first; cpu < count; cpu++)
    if (objects[cpu] == object) {
      cpus[cache->cpu_count++] = cpu;
      objects[cpu] = NULL;
    }
  return cache->cpu_count;
}

int numarch_build_caches(struct numarch_details *details, const struct numarch *machine,
                         hwloc_topology_t topology) {
  uint32_t count = machine->cpu_count;
  hwloc_obj_t *objects = (hwloc_obj_t *)calloc(count, sizeof(hwloc_obj_t));
  details->caches = calloc((size_t)count * TYPES, sizeof *details->caches);
  details->cache_cpus = calloc((size_t)count * TYPES, sizeof *details->cache_cpus);
  bool room = objects && details->caches && details->cache_cpus;
  uint32_t *cpus = details->cache_cpus;
  for (size_t i = 0; i < TYPES && room; i++) {
    find_objects(objects, machine, topology, types[i]);
    for (uint32_t cpu = 0; cpu < count; cpu++)
      if (objects[cpu])
        cpus += add_cache(details, cpus, objects, cpu, count);
  }
  free((void *)objects);
  return room ? 0 : -1;
}
