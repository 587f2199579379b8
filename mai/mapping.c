/*===-- mapping.c - which thread belongs on which CPU ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "mapping.h"

#include <stdlib.h>

/* A CPU on its way into a mapping. */
struct candidate {
  uint32_t logical;
  uint32_t smt; /* rank within its core */
};

void mai_cpu_list_free(struct mai_cpu_list *list) {
  free(list->cpus);
  *list = (struct mai_cpu_list){0};
}

static int allocate(struct mai_cpu_list *list, uint32_t count) {
  *list = (struct mai_cpu_list){malloc(count * sizeof *list->cpus), count};
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

/* First one CPU of each core, then a second of each, ... */
static int by_rank_in_core(const void *left, const void *right) {
  const struct candidate *a = left;
  const struct candidate *b = right;
  return a->smt == b->smt ? by_topology(left, right) : compare(a->smt, b->smt);
}

const uint32_t *mai_cpu_list_find(const struct mai_cpu_list *list, uint32_t cpu) {
  return bsearch(&cpu, list->cpus, list->count, sizeof cpu, compare_cpus);
}

int mai_mapping_all(const numarch_t *machine, struct mai_cpu_list *list) {
  if (allocate(list, numarch_cpu_count(machine)) != 0)
    return -1;
  for (uint32_t i = 0; i < list->count; i++)
    list->cpus[i] = numarch_get_cpu(machine, i)->os_index;
  qsort(list->cpus, list->count, sizeof *list->cpus, compare_cpus);
  return 0;
}

int mai_mapping_compact(const numarch_t *machine, unsigned threads, struct mai_cpu_list *list) {
  uint32_t count = numarch_cpu_count(machine);
  struct candidate *order = malloc(count * sizeof *order);
  if (!order || allocate(list, count) != 0) {
    free(order);
    return -1;
  }
  for (uint32_t i = 0; i < count; i++)
    order[i] = (struct candidate){i, numarch_get_cpu(machine, i)->smt};
  qsort(order, count, sizeof *order, by_rank_in_core);
  qsort(order, threads < count ? threads : count, sizeof *order, by_topology);
  for (uint32_t i = 0; i < count; i++)
    list->cpus[i] = numarch_get_cpu(machine, order[i].logical)->os_index;
  free(order);
  return 0;
}
