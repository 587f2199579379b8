/*===-- near.c - whether tasks go where their data is -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "near.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "mai/threads/jump.h"
#include "mai/threads/threads.h"
#include "mai/policy/placement.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/settings.h"
#include "mai/process/start.h"
#include "runtime/heap.h"

_Atomic enum mai_near mai_near_state;

/* Constant once it is decided that tasks have homes. */
static struct {
  const numarch_t *machine;
  unsigned count;
  uint32_t nodes[MAI_MOST_HOMES]; /* logical indices */
  uint8_t by_distance[MAI_MOST_HOMES][MAI_MOST_HOMES];
  uint8_t of_node[MAI_MOST_NODES]; /* by OS index */
  uint8_t *of_cpu;                 /* by OS index */
  uint32_t cpus;                   /* entries of `of_cpu` */
} homes;

/*===-- The homes of this machine ------------------------------------------===*/

static uint32_t distance(unsigned from, unsigned to) {
  return numarch_distance(homes.machine, homes.nodes[from], homes.nodes[to]);
}

/* Of homes that are equally far, those that come next after this one: thieves spread. */
static void sort_by_distance(unsigned home) {
  uint8_t *sorted = homes.by_distance[home];
  for (unsigned i = 0; i < homes.count; i++) {
    unsigned other = (home + i) % homes.count;
    unsigned place = i;
    while (place > 1 && distance(home, sorted[place - 1]) > distance(home, other)) {
      sorted[place] = sorted[place - 1];
      place--;
    }
    sorted[place] = (uint8_t)other;
  }
}

static unsigned nearest_to(uint32_t node) {
  unsigned nearest = 0;
  for (unsigned home = 1; home < homes.count; home++)
    if (numarch_distance(homes.machine, homes.nodes[home], node) <
        numarch_distance(homes.machine, homes.nodes[nearest], node))
      nearest = home;
  return nearest;
}

static void list_homes(void) {
  for (uint32_t i = 0; i < numarch_node_count(homes.machine); i++)
    if (numarch_get_node(homes.machine, i)->cpu_count) {
      if (homes.count < MAI_MOST_HOMES)
        homes.nodes[homes.count] = i;
      homes.count++;
    }
}

static void find_homes_of_nodes(void) {
  memset(homes.of_node, MAI_NO_HOME, sizeof homes.of_node);
  for (uint32_t i = 0; i < numarch_node_count(homes.machine); i++) {
    uint32_t node = numarch_get_node(homes.machine, i)->os_index;
    if (node < MAI_MOST_NODES)
      homes.of_node[node] = (uint8_t)nearest_to(i);
  }
}

/* @return whether there is memory for it */
static bool find_homes_of_cpus(void) {
  uint32_t count = numarch_cpu_count(homes.machine);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t cpu = numarch_get_cpu(homes.machine, i)->os_index;
    homes.cpus = cpu >= homes.cpus ? cpu + 1 : homes.cpus;
  }
  homes.of_cpu = minas_alloc(homes.cpus);
  for (uint32_t i = 0; i < count && homes.of_cpu; i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(homes.machine, i);
    if (cpu->node != NUMARCH_NONE)
      homes.of_cpu[cpu->os_index] = (uint8_t)nearest_to(cpu->node);
  }
  return homes.of_cpu;
}

/* The hooks where groups of tasks begin are jumps. */
#if MAI_HAS_JUMPS
static const bool has_hooks = true;
#else
static const bool has_hooks = false;
#endif

/* @return why tasks have no homes here; NULL: they have */
static const char *find_homes(const struct mai_machine *machine) {
  if (!has_hooks)
    return "this is not done on this processor";
  if (machine->watch_only)
    return "MAI_WATCH changes nothing";
  homes.machine = machine->topology;
  list_homes();
  if (homes.count < 2)
    return "only one node has CPUs";
  if (homes.count > MAI_MOST_HOMES)
    return "more than 64 nodes have CPUs";
  find_homes_of_nodes();
  for (unsigned home = 0; home < homes.count; home++)
    sort_by_distance(home);
  return find_homes_of_cpus() ? NULL : "there is no memory for it";
}

/*===-- Deciding -----------------------------------------------------------===*/

static void leave_to_run_time(const char *reason) {
  mai_message("MAI_TASKS: tasks are left to the run-time: %s", reason);
}

void mai_near_start(const struct mai_machine *machine) {
  const char *setting = mai_settings()->tasks;
  if (!setting)
    return;
  const char *reason = strcmp(setting, "near") == 0 ? find_homes(machine) : "it can be \"near\"";
  if (reason) {
    homes.count = 0;
    leave_to_run_time(reason);
  }
  atomic_store(&mai_near_state, reason ? MAI_NEAR_OFF : MAI_NEAR_ON);
}

bool mai_near_decide(void) {
  int error = errno;
  bool fails = !mai_settings()->tasks || (mai_start() != 0 && errno != EAGAIN);
  errno = error;
  if (fails)
    atomic_store(&mai_near_state, MAI_NEAR_OFF);
  return atomic_load(&mai_near_state) == MAI_NEAR_ON;
}

void mai_near_end(const char *reason) {
  enum mai_near on = MAI_NEAR_ON;
  MAI_CALL;
  if (atomic_compare_exchange_strong(&mai_near_state, &on, MAI_NEAR_OFF))
    leave_to_run_time(reason);
}

/*===-- Asking -------------------------------------------------------------===*/

unsigned mai_home_count(void) { return homes.count; }

uint32_t mai_home_node(unsigned home) {
  return numarch_get_node(homes.machine, homes.nodes[home])->os_index;
}

unsigned mai_home_of_node(uint32_t node) {
  return node < MAI_MOST_NODES ? homes.of_node[node] : MAI_NO_HOME;
}

unsigned mai_home_here(void) {
  int cpu = sched_getcpu();
  return cpu >= 0 && (uint32_t)cpu < homes.cpus ? homes.of_cpu[cpu] : 0;
}

unsigned mai_home_by_distance(unsigned home, unsigned rank) {
  return homes.by_distance[home][rank];
}

bool mai_home_is_nearest(unsigned home, unsigned other) {
  return distance(home, other) <= distance(home, homes.by_distance[home][1]);
}

void mai_home_count_threads(unsigned counts[MAI_MOST_HOMES]) {
  memset(counts, 0, MAI_MOST_HOMES * sizeof *counts);
  for (unsigned thread = 0; thread < mai_threads_team_size_now(); thread++) {
    uint32_t node = mai_threads_node(thread);
    unsigned home = node == NUMARCH_NONE
                        ? MAI_NO_HOME
                        : mai_home_of_node(numarch_get_node(homes.machine, node)->os_index);
    if (home != MAI_NO_HOME)
      counts[home]++;
  }
}
