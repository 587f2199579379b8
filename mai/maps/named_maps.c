/*===-- named_maps.c - which thread belongs on which CPU ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "named_maps.h"

#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "runtime/heap.h"
#include "runtime/sort.h"

/* How many numbers decide the place of a CPU in a map. */
enum { CRITERIA = 5 };

/* A CPU on its way into a map. */
struct candidate {
  uint32_t logical;
  uint32_t ranks[CRITERIA]; /* the first that differ decide */
};

static const char *const names[] = {"compact", "scatter", "per-cache", "per-node"};

const char *mai_named_map_name(enum mai_named_map map) { return names[map]; }

bool mai_named_map_by_name(const char *name, enum mai_named_map *map) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *map = (enum mai_named_map)i;
      return true;
    }
  return false;
}

void mai_cpu_list_free(struct mai_cpu_list *list) {
  minas_free(list->cpus);
  *list = (struct mai_cpu_list){0};
}

static int allocate(struct mai_cpu_list *list, uint32_t count) {
  *list = (struct mai_cpu_list){minas_alloc(count * sizeof *list->cpus), count};
  return list->cpus ? 0 : -1;
}

static int compare(uint32_t left, uint32_t right) { return (left > right) - (left < right); }

static int compare_cpus(const void *left, const void *right) {
  return compare(*(const uint32_t *)left, *(const uint32_t *)right);
}

static int by_topology(const void *left, const void *right) {
  const struct candidate *a = left;
  const struct candidate *b = right;
  return compare(a->logical, b->logical);
}

static int by_ranks(const void *left, const void *right) {
  const struct candidate *a = left;
  const struct candidate *b = right;
  for (int i = 0; i < CRITERIA; i++)
    if (a->ranks[i] != b->ranks[i])
      return compare(a->ranks[i], b->ranks[i]);
  return by_topology(left, right);
}

const uint32_t *mai_cpu_list_find(const struct mai_cpu_list *list, uint32_t cpu) {
  return bsearch(&cpu, list->cpus, list->count, sizeof cpu, compare_cpus);
}

int mai_cpu_list_all(const numarch_t *machine, struct mai_cpu_list *list) {
  if (allocate(list, numarch_cpu_count(machine)) != 0)
    return -1;
  for (uint32_t i = 0; i < list->count; i++)
    list->cpus[i] = numarch_get_cpu(machine, i)->os_index;
  minas_sort(list->cpus, list->count, sizeof *list->cpus, compare_cpus);
  return 0;
}

/* The rank of a CPU's object within the object around it; the number of the object where both are
   the same. */
struct criterion {
  enum mai_group inner;
  enum mai_group outer;
};

/* What decides after the rank of a CPU in its core, and before the topology. */
static const struct {
  unsigned count;
  struct criterion criteria[CRITERIA - 1];
} orders[] = {
    [MAI_NAMED_MAP_SCATTER] = {4,
                               {{MAI_GROUP_CORE, MAI_GROUP_LAST_CACHE},
                                {MAI_GROUP_LAST_CACHE, MAI_GROUP_NODE},
                                {MAI_GROUP_NODE, MAI_GROUP_PACKAGE},
                                {MAI_GROUP_PACKAGE, MAI_GROUP_PACKAGE}}},
    [MAI_NAMED_MAP_PER_CACHE] = {2,
                                 {{MAI_GROUP_CORE, MAI_GROUP_LAST_CACHE},
                                  {MAI_GROUP_LAST_CACHE, MAI_GROUP_LAST_CACHE}}},
    [MAI_NAMED_MAP_PER_NODE] = {2,
                                {{MAI_GROUP_CORE, MAI_GROUP_NODE},
                                 {MAI_GROUP_NODE, MAI_GROUP_NODE}}},
};

static int add_criterion(struct candidate *order, const numarch_t *machine,
                         const struct criterion *criterion, unsigned at) {
  bool ranked = criterion->inner != criterion->outer;
  uint32_t *ranks = ranked ? mai_group_ranks(machine, criterion->inner, criterion->outer) : NULL;
  if (ranked && !ranks)
    return -1;
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++)
    order[i].ranks[at] = ranks ? ranks[i] : mai_group_of(machine, criterion->inner, i);
  minas_free(ranks);
  return 0;
}

static int describe(struct candidate *order, const numarch_t *machine, enum mai_named_map map) {
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++)
    order[i] = (struct candidate){i, {numarch_get_cpu(machine, i)->smt}};
  for (unsigned i = 0; i < orders[map].count; i++)
    if (add_criterion(order, machine, &orders[map].criteria[i], i + 1) != 0)
      return -1;
  return 0;
}

int mai_named_map_make(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                       struct mai_cpu_list *list) {
  uint32_t count = numarch_cpu_count(machine);
  struct candidate *order = minas_alloc_list(count, sizeof *order);
  int result = order ? describe(order, machine, map) : -1;
  if (result == 0)
    result = allocate(list, count);
  if (result == 0) {
    minas_sort(order, count, sizeof *order, by_ranks);
    if (map == MAI_NAMED_MAP_COMPACT)
      minas_sort(order, threads < count ? threads : count, sizeof *order, by_topology);
    for (uint32_t i = 0; i < count; i++)
      list->cpus[i] = numarch_get_cpu(machine, order[i].logical)->os_index;
  }
  minas_free(order);
  return result;
}
