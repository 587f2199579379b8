/*===-- cpus.c - CPUs, cores, packages and caches --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * hwloc's tree orders the CPUs so that those below any object of it, a core, a package, a cache,
 * follow one another.  Such an object is therefore a *run* of CPUs here.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "build.h"

/* hwloc's tree and its leaves. */
struct tree {
  hwloc_topology_t topology;
  hwloc_obj_t *cpus; /* of each CPU of the machine its object */
};

static int list_cpus(struct numarch *machine, struct tree *tree, hwloc_bitmap_t wanted) {
  size_t capacity = (uint32_t)hwloc_get_nbobjs_by_type(tree->topology, HWLOC_OBJ_PU);
  tree->cpus = (hwloc_obj_t *)calloc(capacity, sizeof(hwloc_obj_t));
  machine->cpus = calloc(capacity, sizeof *machine->cpus);
  machine->cpu_numbers = calloc(capacity, sizeof *machine->cpu_numbers);
  if (!tree->cpus || !machine->cpus || !machine->cpu_numbers)
    return -1;
  hwloc_obj_t cpu = NULL;
  while ((cpu = hwloc_get_next_obj_by_type(tree->topology, HWLOC_OBJ_PU, cpu))) {
    if (!hwloc_bitmap_isset(wanted, cpu->os_index))
      continue;
    hwloc_bitmap_clr(wanted, cpu->os_index); /* once: a broken file may name a CPU twice */
    uint32_t index = machine->cpu_count++;
    tree->cpus[index] = cpu;
    machine->cpus[index].os_index = cpu->os_index;
    machine->cpu_numbers[index] = index;
  }
  return 0;
}

/* The object of a type that a CPU is a part of, or NULL. */
static hwloc_obj_t ancestor(const struct tree *tree, hwloc_obj_type_t type, uint32_t cpu) {
  return hwloc_get_ancestor_obj_by_type(tree->topology, type, tree->cpus[cpu]);
}

/* The last CPU + 1 of the run that starts at `first`: those with the same ancestor of a type. */
static uint32_t run_end(const struct numarch *machine, const struct tree *tree,
                        hwloc_obj_type_t type, uint32_t first) {
  hwloc_obj_t object = ancestor(tree, type, first);
  uint32_t end = first + 1;
  while (end < machine->cpu_count && ancestor(tree, type, end) == object)
    end++;
  return end;
}

/* CPUs that hwloc knows no package of, as on some ARM machines, are one package together. */
static void number_packages(struct numarch *machine, const struct tree *tree) {
  uint32_t end = 0;
  for (uint32_t first = 0; first < machine->cpu_count; first = end) {
    end = run_end(machine, tree, HWLOC_OBJ_PACKAGE, first);
    for (uint32_t cpu = first; cpu < end; cpu++)
      machine->cpus[cpu].package = machine->package_count;
    machine->package_count++;
  }
}

/* A CPU that hwloc knows no core of is a core by itself. */
static void number_cores(struct numarch *machine, const struct tree *tree) {
  uint32_t end = 0;
  for (uint32_t first = 0; first < machine->cpu_count; first = end) {
    bool has_core = ancestor(tree, HWLOC_OBJ_CORE, first);
    end = has_core ? run_end(machine, tree, HWLOC_OBJ_CORE, first) : first + 1;
    for (uint32_t cpu = first; cpu < end; cpu++) {
      machine->cpus[cpu].core = machine->core_count;
      machine->cpus[cpu].smt = cpu - first;
    }
    machine->core_count++;
  }
}

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

static void add_cache(struct numarch *machine, hwloc_obj_t object, uint32_t first, uint32_t end) {
  machine->caches[machine->cache_count++] = (struct numarch_cache){
      .level = object->attr->cache.depth,
      .kind = cache_kind(object->attr->cache.type),
      .size = object->attr->cache.size,
      .line_size = object->attr->cache.linesize,
      .cpu_count = end - first,
      .cpus = machine->cpu_numbers + first,
  };
}

static void add_caches(struct numarch *machine, const struct tree *tree, hwloc_obj_type_t type) {
  uint32_t end = 0;
  for (uint32_t first = 0; first < machine->cpu_count; first = end) {
    end = run_end(machine, tree, type, first);
    hwloc_obj_t cache = ancestor(tree, type, first);
    if (cache)
      add_cache(machine, cache, first, end);
  }
}

static int list_caches(struct numarch *machine, const struct tree *tree) {
  static const hwloc_obj_type_t types[] = {
      HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L2ICACHE,
      HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L3ICACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
  enum { TYPES = sizeof types / sizeof *types };
  machine->caches = calloc((size_t)machine->cpu_count * TYPES, sizeof *machine->caches);
  if (!machine->caches)
    return -1;
  for (size_t i = 0; i < TYPES; i++)
    add_caches(machine, tree, types[i]);
  return 0;
}

static int build(struct numarch *machine, struct tree *tree, hwloc_bitmap_t wanted) {
  if (list_cpus(machine, tree, wanted) != 0)
    return -1;
  /* The description of another machine may have no CPU that this process is bound to. */
  if (machine->cpu_count == 0) {
    errno = EINVAL;
    return -1;
  }
  number_packages(machine, tree);
  number_cores(machine, tree);
  return list_caches(machine, tree);
}

int numarch_build_cpus(struct numarch *machine, const struct numarch_discovery *found) {
  struct tree tree = {.topology = found->topology};
  int result = build(machine, &tree, found->cpus);
  free((void *)tree.cpus);
  return result;
}
