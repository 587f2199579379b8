/*===-- sharing.c - a map beside other programs --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "sharing.h"

#include <string.h>

#include "groups.h"
#include "runtime/heap.h"

struct sharing {
  const numarch_t *machine;
  uint32_t cpus;
  uint32_t threads; /* at most as many as CPUs */
  const uint8_t *uses;
  struct mai_group_table table;
  const uint32_t *cores; /* the number of each CPU's core, ... */
  const uint32_t *caches;
  uint32_t *scope;    /* ... and of the group in which CPUs are looked for */
  uint32_t *counts;   /* room for one of each group */
  bool whole_machine; /* it is one group */
  uint32_t groups;    /* their numbers are below this */
  bool *chosen;       /* of each CPU */
  uint32_t chosen_count;
};

/* CPUs that count as free. */
struct criterion {
  enum mai_cpu_use most; /* use that others make of them */
  bool cores;            /* one CPU a core, all of whose CPUs are free */
};

static void choose(struct sharing *sharing, uint32_t cpu) {
  sharing->chosen[cpu] = true;
  sharing->chosen_count++;
}

/*===-- Near one another ---------------------------------------------------===*/

/* CPUs of a core, and of a cache, follow one another in the topology. */
static bool is_first_of_core(const struct sharing *sharing, uint32_t cpu) {
  return cpu == 0 || sharing->cores[cpu - 1] != sharing->cores[cpu];
}

/* Whether all CPUs of a CPU's group are free. */
static bool is_whole(const struct sharing *sharing, const uint32_t *group, uint32_t cpu,
                     enum mai_cpu_use most) {
  uint32_t first = cpu;
  while (first > 0 && group[first - 1] == group[cpu])
    first--;
  for (uint32_t i = first; i < sharing->cpus && group[i] == group[cpu]; i++)
    if (sharing->uses[i] > most)
      return false;
  return true;
}

static bool fits(const struct sharing *sharing, const struct criterion *criterion, uint32_t cpu) {
  if (criterion->cores)
    return is_first_of_core(sharing, cpu) &&
           is_whole(sharing, sharing->cores, cpu, criterion->most);
  return sharing->uses[cpu] <= criterion->most;
}

/* Whether this is the first CPU of its core that will do. */
static bool is_first_to_fit(const struct sharing *sharing, const struct criterion *criterion,
                            uint32_t cpu) {
  for (uint32_t i = cpu; !is_first_of_core(sharing, i); i--)
    if (fits(sharing, criterion, i - 1))
      return false;
  return fits(sharing, criterion, cpu);
}

/* Look in groups of this kind, or with MAI_GROUP_CPU in all of the machine. */
static int set_scope(struct sharing *sharing, enum mai_group kind) {
  const uint32_t *groups =
      kind == MAI_GROUP_CPU ? NULL : mai_group_table_get(&sharing->table, kind);
  if (!groups && kind != MAI_GROUP_CPU)
    return -1;
  sharing->whole_machine = !groups;
  sharing->groups = 1;
  for (uint32_t cpu = 0; cpu < sharing->cpus; cpu++) {
    sharing->scope[cpu] = groups ? groups[cpu] : 0;
    if (sharing->scope[cpu] != NUMARCH_NONE && sharing->scope[cpu] >= sharing->groups)
      sharing->groups = sharing->scope[cpu] + 1;
  }
  minas_free(sharing->counts);
  sharing->counts = minas_alloc_list(sharing->groups, sizeof *sharing->counts);
  return sharing->counts ? 0 : -1;
}

/* Threads are not put on one core to have them near one another. */
static void count_in_groups(struct sharing *sharing, const struct criterion *criterion) {
  memset(sharing->counts, 0, sharing->groups * sizeof *sharing->counts);
  for (uint32_t cpu = 0; cpu < sharing->cpus; cpu++)
    if (sharing->scope[cpu] != NUMARCH_NONE)
      sharing->counts[sharing->scope[cpu]] += sharing->whole_machine
                                                  ? fits(sharing, criterion, cpu)
                                                  : is_first_to_fit(sharing, criterion, cpu);
}

/* A group with enough CPUs: the first that is nobody else's, or the first.
   @return its first CPU, or NUMARCH_NONE */
static uint32_t find_group(const struct sharing *sharing, const struct criterion *criterion) {
  uint32_t found = NUMARCH_NONE;
  for (uint32_t cpu = 0; cpu < sharing->cpus; cpu++) {
    uint32_t group = sharing->scope[cpu];
    if (group == NUMARCH_NONE || sharing->counts[group] < sharing->threads)
      continue;
    if (is_whole(sharing, sharing->scope, cpu, criterion->most))
      return cpu;
    found = found == NUMARCH_NONE ? cpu : found;
  }
  return found;
}

/* Threads of others and of this team on a CPU's core. */
static uint32_t threads_on_core(const struct sharing *sharing, uint32_t cpu) {
  uint32_t count = 0;
  uint32_t first = cpu;
  while (!is_first_of_core(sharing, first))
    first--;
  for (uint32_t i = first; i < sharing->cpus && sharing->cores[i] == sharing->cores[cpu]; i++)
    count += (uint32_t)sharing->chosen[i] + (sharing->uses[i] == MAI_CPU_USED);
  return count;
}

/* Within the group first cores with the fewest threads, and of these first such as have a cache
   that nobody else uses. */
static void choose_in_group(struct sharing *sharing, const struct criterion *criterion,
                            uint32_t member) {
  for (uint32_t others = 0; sharing->chosen_count < sharing->threads; others++)
    for (int shared = 0; shared <= 1; shared++)
      for (uint32_t cpu = 0; cpu < sharing->cpus && sharing->chosen_count < sharing->threads; cpu++)
        if (sharing->scope[cpu] == sharing->scope[member] && !sharing->chosen[cpu] &&
            fits(sharing, criterion, cpu) && threads_on_core(sharing, cpu) <= others &&
            is_whole(sharing, sharing->caches, cpu, criterion->most) == !shared)
          choose(sharing, cpu);
}

/* @return 1 when they are chosen, 0 when there are not enough; -1 with errno ENOMEM */
static int choose_near(struct sharing *sharing) {
  static const enum mai_group scopes[] = {MAI_GROUP_LAST_CACHE, MAI_GROUP_NODE, MAI_GROUP_PACKAGE,
                                          MAI_GROUP_CPU};
  static const struct criterion criteria[] = {
      {MAI_CPU_FREE, true}, {MAI_CPU_FREE, false}, {MAI_CPU_WANTED, true}, {MAI_CPU_WANTED, false}};
  for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++)
    for (size_t j = 0; j < sizeof scopes / sizeof *scopes; j++) {
      if (set_scope(sharing, scopes[j]) != 0)
        return -1;
      count_in_groups(sharing, &criteria[i]);
      uint32_t member = find_group(sharing, &criteria[i]);
      if (member == NUMARCH_NONE)
        continue;
      choose_in_group(sharing, &criteria[i], member);
      return 1;
    }
  return 0;
}

/*===-- As there are -------------------------------------------------------===*/

static void choose_in_order(struct sharing *sharing, const struct mai_cpu_list *list) {
  for (int use = MAI_CPU_FREE; use < MAI_CPU_USED; use++)
    for (uint32_t i = 0; i < list->count && sharing->chosen_count < sharing->threads; i++) {
      uint32_t cpu = numarch_cpu_by_os_index(sharing->machine, list->cpus[i]);
      if (!sharing->chosen[cpu] && sharing->uses[cpu] <= use)
        choose(sharing, cpu);
    }
}

/* Thousandths of the CPUs of a node that others or this team have; only where one is left. */
static bool find_share(const struct sharing *sharing, uint32_t node, uint32_t *share) {
  uint32_t taken = 0;
  uint32_t count = 0;
  uint32_t left = 0;
  for (uint32_t cpu = 0; cpu < sharing->cpus; cpu++) {
    if (numarch_get_cpu(sharing->machine, cpu)->node != node)
      continue;
    count++;
    left += !sharing->chosen[cpu];
    taken += (uint32_t)sharing->chosen[cpu] + (sharing->uses[cpu] == MAI_CPU_USED);
  }
  *share = count ? taken * 1000 / count : 0;
  return left > 0;
}

static uint32_t first_left_on(const struct sharing *sharing, uint32_t node) {
  uint32_t cpu = 0;
  while (sharing->chosen[cpu] || numarch_get_cpu(sharing->machine, cpu)->node != node)
    cpu++;
  return cpu;
}

/* Threads that have to go beside others' go where these are fewest. */
static void choose_one_of_others(struct sharing *sharing) {
  uint32_t best = NUMARCH_NONE;
  uint32_t least = UINT32_MAX;
  for (uint32_t node = 0; node <= numarch_node_count(sharing->machine); node++) {
    uint32_t index = node < numarch_node_count(sharing->machine) ? node : NUMARCH_NONE;
    uint32_t share;
    if (find_share(sharing, index, &share) && share < least) {
      least = share;
      best = index;
    }
  }
  choose(sharing, first_left_on(sharing, best));
}

/*===-- All of it ----------------------------------------------------------===*/

static int choose_all(struct sharing *sharing, enum mai_named_map map,
                      const struct mai_cpu_list *list) {
  int near = map == MAI_NAMED_MAP_COMPACT ? choose_near(sharing) : 0;
  if (near < 0)
    return -1;
  choose_in_order(sharing, list);
  while (sharing->chosen_count < sharing->threads)
    choose_one_of_others(sharing);
  return 0;
}

/* The team's CPUs first, in the order of the topology or of the map; the others behind. */
static void reorder(const struct sharing *sharing, enum mai_named_map map, uint32_t *room,
                    struct mai_cpu_list *list) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < sharing->cpus; i++) {
    uint32_t cpu =
        map == MAI_NAMED_MAP_COMPACT ? i : numarch_cpu_by_os_index(sharing->machine, list->cpus[i]);
    if (sharing->chosen[cpu])
      room[next++] = numarch_get_cpu(sharing->machine, cpu)->os_index;
  }
  for (uint32_t i = 0; i < sharing->cpus; i++)
    if (!sharing->chosen[numarch_cpu_by_os_index(sharing->machine, list->cpus[i])])
      room[next++] = list->cpus[i];
  memcpy(list->cpus, room, sharing->cpus * sizeof *room);
}

int mai_named_map_share(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                        const uint8_t *uses, struct mai_cpu_list *list) {
  uint32_t cpus = list->count;
  struct sharing sharing = {.machine = machine,
                            .cpus = cpus,
                            .threads = threads < cpus ? threads : cpus,
                            .uses = uses,
                            .table = {.machine = machine}};
  sharing.cores = mai_group_table_get(&sharing.table, MAI_GROUP_CORE);
  sharing.caches = mai_group_table_get(&sharing.table, MAI_GROUP_LAST_CACHE);
  sharing.scope = minas_alloc_list(cpus, sizeof *sharing.scope);
  sharing.chosen = minas_alloc_list(cpus, sizeof *sharing.chosen);
  uint32_t *room = minas_alloc_list(cpus, sizeof *room);
  int result = sharing.cores && sharing.caches && sharing.scope && sharing.chosen && room
                   ? choose_all(&sharing, map, list)
                   : -1;
  if (result == 0)
    reorder(&sharing, map, room, list);
  mai_group_table_free(&sharing.table);
  minas_free(sharing.counts);
  minas_free(sharing.scope);
  minas_free(sharing.chosen);
  minas_free(room);
  return result;
}
