/*===-- groups.c - the objects of the machine that hold a CPU ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "groups.h"

#include <stdbool.h>

#include "runtime/heap.h"

static bool holds(const struct numarch_cache *cache, uint32_t cpu) {
  for (uint32_t i = 0; i < cache->cpu_count; i++)
    if (cache->cpus[i] == cpu)
      return true;
  return false;
}

/* The data cache of this level that the CPU uses, or with level 0 the one of the highest level. */
static uint32_t cache_of(const numarch_t *machine, uint32_t level, uint32_t cpu) {
  uint32_t found = NUMARCH_NONE;
  uint32_t found_level = 0;
  for (uint32_t i = 0; i < numarch_cache_count(machine); i++) {
    const struct numarch_cache *cache = numarch_get_cache(machine, i);
    bool wanted = level ? cache->level == level : cache->level > found_level;
    if (wanted && cache->kind != NUMARCH_CACHE_INSTRUCTION && holds(cache, cpu)) {
      found = i;
      found_level = cache->level;
    }
  }
  return found;
}

static uint32_t last_cache_of(const numarch_t *machine, uint32_t cpu) {
  uint32_t cache = cache_of(machine, 0, cpu);
  return cache == NUMARCH_NONE ? numarch_cache_count(machine) + numarch_get_cpu(machine, cpu)->core
                               : cache;
}

uint32_t mai_group_of(const numarch_t *machine, enum mai_group kind, uint32_t cpu) {
  switch (kind) {
  case MAI_GROUP_CPU:
    return cpu;
  case MAI_GROUP_CORE:
    return numarch_get_cpu(machine, cpu)->core;
  case MAI_GROUP_LAST_CACHE:
    return last_cache_of(machine, cpu);
  case MAI_GROUP_NODE:
    return numarch_get_cpu(machine, cpu)->node;
  case MAI_GROUP_PACKAGE:
    return numarch_get_cpu(machine, cpu)->package;
  default:
    return cache_of(machine, kind - MAI_GROUP_CACHE_1 + 1, cpu);
  }
}

const uint32_t *mai_group_table_get(struct mai_group_table *table, enum mai_group kind) {
  if (table->groups[kind])
    return table->groups[kind];
  uint32_t count = numarch_cpu_count(table->machine);
  uint32_t *groups = minas_alloc_list(count, sizeof *groups);
  for (uint32_t i = 0; groups && i < count; i++)
    groups[i] = mai_group_of(table->machine, kind, i);
  table->groups[kind] = groups;
  return groups;
}

void mai_group_table_free(struct mai_group_table *table) {
  for (size_t i = 0; i < sizeof table->groups / sizeof *table->groups; i++)
    minas_free(table->groups[i]);
  *table = (struct mai_group_table){0};
}

/* One more than the largest number in use; CPUs in no group count as in one more. */
static uint32_t *list_groups(const numarch_t *machine, enum mai_group kind, uint32_t *bound) {
  uint32_t count = numarch_cpu_count(machine);
  uint32_t *groups = minas_alloc_list(count, sizeof *groups);
  *bound = 0;
  for (uint32_t i = 0; groups && i < count; i++) {
    groups[i] = mai_group_of(machine, kind, i);
    if (groups[i] != NUMARCH_NONE && groups[i] >= *bound)
      *bound = groups[i] + 1;
  }
  for (uint32_t i = 0; groups && i < count; i++)
    if (groups[i] == NUMARCH_NONE)
      groups[i] = *bound;
  ++*bound;
  return groups;
}

/* `ranks` holds the inner groups of the CPUs and receives their ranks. */
static int rank(uint32_t *ranks, uint32_t inner_bound, const uint32_t *outer, uint32_t outer_bound,
                uint32_t count) {
  uint32_t *next = minas_alloc_list(outer_bound, sizeof *next);
  uint32_t *rank_of = minas_alloc_list(inner_bound, sizeof *rank_of); /* and 1; 0: none yet */
  int result = next && rank_of ? 0 : -1;
  for (uint32_t i = 0; result == 0 && i < count; i++) {
    uint32_t *own = &rank_of[ranks[i]];
    if (*own == 0)
      *own = ++next[outer[i]];
    ranks[i] = *own - 1;
  }
  minas_free(next);
  minas_free(rank_of);
  return result;
}

uint32_t *mai_group_ranks(const numarch_t *machine, enum mai_group inner, enum mai_group outer) {
  uint32_t inner_bound, outer_bound;
  uint32_t *ranks = list_groups(machine, inner, &inner_bound);
  uint32_t *around = list_groups(machine, outer, &outer_bound);
  if (!ranks || !around ||
      rank(ranks, inner_bound, around, outer_bound, numarch_cpu_count(machine)) != 0) {
    minas_free(ranks);
    ranks = NULL;
  }
  minas_free(around);
  return ranks;
}
