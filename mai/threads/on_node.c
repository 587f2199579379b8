/*===-- on_node.c - runs functions and their teams on nodes -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <pthread.h>

#include "mai/process/affinity.h"
#include "mai/process/call.h"
#include "runtime/fail.h"
#include "mai/process/start.h"
#include "mai/memory/machine.h"
#include "mai.h"
#include "binding.h"
#include "openmp/routes.h"
#include "runtime/heap.h"
#include "runtime/lock.h"
#include "team_cache.h"
#include "teams.h"
#include "threads.h"

/* Logical index of a node with CPUs. @return 0, or -1 with errno ENODEV */
static int find_node(const struct mai_machine *machine, unsigned node, uint32_t *index) {
  *index = numarch_node_by_os_index(machine->topology, node);
  if (*index == NUMARCH_NONE || !numarch_get_node(machine->topology, *index)->cpu_count)
    return fail(ENODEV);
  return 0;
}

/* Where a thread was, be it by our doing or by the program's own, and the size of its teams. */
struct stay {
  const struct mai_runtime *runtime; /* NULL: there is none */
  uint32_t node;
  struct mai_binding_before before;
  bool mask_known;
  struct mai_cpu_mask mask;
  int team_size;
};

static int get_team_size(const struct mai_runtime *runtime) {
  MINAS_CALLS_OUT();
  return runtime ? runtime->openmp.get_max_threads() : 0;
}

static void set_team_size(const struct mai_runtime *runtime, int size) {
  MINAS_CALLS_OUT();
  if (runtime)
    runtime->openmp.set_num_threads(size);
}

/* A run-time that starts now is to count the CPUs of the process. */
static void go(struct stay *stay, uint32_t node) {
  mai_team_meet(stay->runtime);
  stay->team_size = get_team_size(stay->runtime);
  stay->node = mai_binding_node();
  stay->mask_known = mai_affinity_get(&stay->mask) == 0;
  stay->before = mai_binding_release();
  mai_binding_set_node(node);
  mai_team_keep_on_node(node);
  mai_team_cache_forget();
  set_team_size(stay->runtime, (int)mai_threads_on_node(node));
}

static void come_back(struct stay *stay) {
  set_team_size(stay->runtime, stay->team_size);
  mai_team_cache_forget();
  mai_binding_set_node(stay->node);
  if (stay->before.narrowed)
    mai_binding_return(&stay->before);
  else if (stay->mask_known)
    mai_binding_keep(stay->before.binding.kind, stay->before.binding.index, &stay->mask);
}

/*===-- Functions of the program's -----------------------------------------===*/

/* They may end by an exception or with their thread: this file is compiled so that the thread comes
   back all the same, first into the library and then to where it was. */
static void come_in(struct mai_call_outside *outside) { mai_call_return(*outside); }

static void go_out(struct mai_call_outside *outside) { *outside = mai_call_leave(); }

static void call_outside(void (*function)(void *argument), void *argument) {
  __attribute__((cleanup(come_in))) struct mai_call_outside outside = {0};
  go_out(&outside);
  MINAS_CALLS_OUT();
  function(argument);
}

static int run_on_node(unsigned node, const struct mai_runtime *runtime,
                       void (*function)(void *argument), void *argument) {
  const struct mai_machine *machine = mai_machine();
  uint32_t index;
  if (!machine || find_node(machine, node, &index) != 0)
    return -1;
  __attribute__((cleanup(come_back))) struct stay stay = {.runtime = runtime};
  go(&stay, index);
  call_outside(function, argument);
  return 0;
}

/* The teams that a function opens are those of the run-time of who passes it. */
static struct mai_runtime *runtime_of(const void *caller) {
  if (mai_start() != 0)
    return NULL;
  return mai_route_of(caller)->functions[MAI_FN_omp_set_num_threads].runtime;
}

int mai_on_node(unsigned node, void (*function)(void *argument), void *argument) {
  MAI_CALL;
  return run_on_node(node, runtime_of(__builtin_return_address(0)), function, argument);
}

/*===-- One team per node --------------------------------------------------===*/

/* All leaders start when all are there, or none does. */
struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  enum { CLOSED, OPEN, ABANDONED } state;
};

struct leader {
  pthread_t thread;
  struct gate *gate;
  unsigned node;
  struct mai_runtime *runtime;
  void (*function)(unsigned node, void *argument);
  void *argument;
};

static bool pass(struct gate *gate) {
  pthread_mutex_lock(&gate->lock);
  while (gate->state == CLOSED)
    pthread_cond_wait(&gate->opened, &gate->lock);
  bool open = gate->state == OPEN;
  pthread_mutex_unlock(&gate->lock);
  return open;
}

static void open_gate(struct gate *gate, bool all_there) {
  pthread_mutex_lock(&gate->lock);
  gate->state = all_there ? OPEN : ABANDONED;
  pthread_cond_broadcast(&gate->opened);
  pthread_mutex_unlock(&gate->lock);
}

static void call_leader(void *leader) {
  const struct leader *self = leader;
  self->function(self->node, self->argument);
}

static void *lead(void *leader) {
  MAI_CALL;
  const struct leader *self = leader;
  if (pass(self->gate))
    run_on_node(self->node, self->runtime, call_leader, leader);
  return NULL;
}

/* @return how many were started */
static uint32_t start_leaders(struct leader *leaders, uint32_t count) {
  uint32_t started = 0;
  while (started < count &&
         pthread_create(&leaders[started].thread, NULL, lead, &leaders[started]) == 0)
    started++;
  return started;
}

/* A leader for each node with CPUs, as `leader` but for the node. @return how many */
static uint32_t describe_leaders(const struct mai_machine *machine, struct leader leader,
                                 struct leader *leaders) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_node_count(machine->topology); i++) {
    const struct numarch_node *node = numarch_get_node(machine->topology, i);
    leader.node = node->os_index;
    if (node->cpu_count)
      leaders[count++] = leader;
  }
  return count;
}

int mai_parallel_nodes(void (*function)(unsigned node, void *argument), void *argument) {
  MAI_CALL;
  MINAS_CALLS_OUT();
  const struct mai_machine *machine = mai_machine();
  struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, CLOSED};
  if (!machine)
    return -1;
  struct leader *leaders = minas_alloc_list(numarch_node_count(machine->topology), sizeof *leaders);
  if (!leaders)
    return -1;
  struct leader leader = {.gate = &gate,
                          .runtime = runtime_of(__builtin_return_address(0)),
                          .function = function,
                          .argument = argument};
  uint32_t count = describe_leaders(machine, leader, leaders);
  uint32_t started = start_leaders(leaders, count);
  open_gate(&gate, started == count);
  for (uint32_t i = 0; i < started; i++)
    pthread_join(leaders[i].thread, NULL);
  minas_free(leaders);
  return started == count ? 0 : fail(EAGAIN);
}
