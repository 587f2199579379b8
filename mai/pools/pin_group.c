/*===-- pin_group.c - pins threads of pools by stage and node -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdbool.h>

#include "mai/memory/machine.h"
#include "mai/process/call.h"
#include "mai/threads/teams.h"
#include "mai/threads/threads.h"
#include "mai_sharing.h"
#include "pools.h"
#include "runtime/fail.h"
#include "runtime/heap.h"

/* What of this file makes its pools no others'. */
static const char kind;

static bool is_on(const numarch_t *topology, uint32_t os_index, int node) {
  const struct numarch_cpu *cpu =
      numarch_get_cpu(topology, numarch_cpu_by_os_index(topology, os_index));
  const struct numarch_node *its =
      cpu && cpu->node != NUMARCH_NONE ? numarch_get_node(topology, cpu->node) : NULL;
  return node == MAI_ALL_NODES || (its && its->os_index == (uint32_t)node);
}

static void keep_those_on(const numarch_t *topology, int node, struct mai_cpu_list *list) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++)
    if (is_on(topology, list->cpus[i], node))
      list->cpus[kept++] = list->cpus[i];
  list->count = kept;
}

/* Of all nodes in the order of their numbers: thread i has CPU i.  Of one, cores before their
   second threads. @return 0, or -1 with errno */
static int list_cpus(const numarch_t *topology, int node, struct mai_cpu_list *list) {
  int result = node == MAI_ALL_NODES ? mai_cpu_list_all(topology, list)
                                     : mai_named_map_make(topology, MAI_NAMED_MAP_COMPACT, 0, list);
  if (result != 0)
    return -1;
  keep_those_on(topology, node, list);
  if (list->count)
    return 0;
  mai_cpu_list_free(list);
  return fail(ENODEV);
}

static struct mai_thread_pool *pool_of(const numarch_t *topology, unsigned group, int node) {
  const struct mai_thread_pool_id id = {&kind, group, node};
  struct mai_thread_pool *pool = mai_thread_pool_find(&id);
  struct mai_cpu_list cpus;
  if (pool)
    return pool;
  return list_cpus(topology, node, &cpus) == 0 ? mai_thread_pool_get(&id, &cpus) : NULL;
}

int mai_pin_group(unsigned group, int node, unsigned flags) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return -1;
  if (flags & ~(unsigned)MAI_PIN_APART || node < MAI_ALL_NODES)
    return fail(EINVAL);
  if (mai_threads_decision() != MAI_PINS)
    return fail(EBUSY);
  struct mai_thread_pool *pool = pool_of(machine->topology, group, node);
  if (!pool)
    return -1;
  uint32_t cpu = mai_thread_pool_next(pool, flags & MAI_PIN_APART);
  return mai_team_pin(cpu) == 0 ? (int)cpu : -1;
}
