/*===-- on_node.c - runs functions and their teams on nodes -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "fail.h"
#include "affinity.h"
#include "machine.h"
#include "mai.h"
#include "openmp.h"
#include "place.h"
#include "threads.h"

/* Logical index of a node with CPUs. @return 0, or -1 with errno ENODEV */
static int find_node(const struct mai_machine *machine, unsigned node, uint32_t *index) {
  *index = numarch_node_by_os_index(machine->topology, node);
  if (*index == NUMARCH_NONE || !numarch_get_node(machine->topology, *index)->cpu_count)
    return fail(ENODEV);
  return 0;
}

/* Where a thread was, be it by our doing or by the program's own. */
struct before {
  uint32_t home;
  struct mai_place_before place;
  bool mask_known;
  struct mai_cpu_mask mask;
};

static struct before leave_for(uint32_t node) {
  struct before before = {.home = mai_place_home()};
  before.mask_known = mai_affinity_get(&before.mask) == 0;
  before.place = mai_place_release();
  mai_place_set_home(node);
  mai_threads_keep_on_node(node);
  return before;
}

static void come_back(const struct before *before) {
  mai_place_set_home(before->home);
  if (before->place.narrowed)
    mai_place_return(&before->place);
  else if (before->mask_known)
    mai_place_keep(before->place.place.kind, before->place.place.index, &before->mask);
}

int mai_on_node(unsigned node, void (*function)(void *argument), void *argument) {
  const struct mai_machine *machine = mai_machine();
  uint32_t index;
  if (!machine || find_node(machine, node, &index) != 0)
    return -1;
  struct mai_openmp openmp;
  bool has_openmp = mai_openmp_of_program(&openmp);
  int team_size = has_openmp ? openmp.get_max_threads() : 0;
  struct before before = leave_for(index);
  if (has_openmp)
    openmp.set_num_threads((int)mai_threads_on_node(index));
  function(argument);
  if (has_openmp)
    openmp.set_num_threads(team_size);
  come_back(&before);
  return 0;
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

static void call(void *leader) {
  const struct leader *self = leader;
  self->function(self->node, self->argument);
}

static void *lead(void *leader) {
  const struct leader *self = leader;
  if (pass(self->gate))
    mai_on_node(self->node, call, leader);
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

static uint32_t describe_leaders(const struct mai_machine *machine, struct gate *gate,
                                 void (*function)(unsigned node, void *argument), void *argument,
                                 struct leader *leaders) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < numarch_node_count(machine->topology); i++) {
    const struct numarch_node *node = numarch_get_node(machine->topology, i);
    if (node->cpu_count)
      leaders[count++] = (struct leader){
          .gate = gate, .node = node->os_index, .function = function, .argument = argument};
  }
  return count;
}

int mai_parallel_nodes(void (*function)(unsigned node, void *argument), void *argument) {
  const struct mai_machine *machine = mai_machine();
  struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, CLOSED};
  if (!machine)
    return -1;
  struct leader *leaders = calloc(numarch_node_count(machine->topology), sizeof *leaders);
  if (!leaders)
    return -1;
  uint32_t count = describe_leaders(machine, &gate, function, argument, leaders);
  uint32_t started = start_leaders(leaders, count);
  open_gate(&gate, started == count);
  for (uint32_t i = 0; i < started; i++)
    pthread_join(leaders[i].thread, NULL);
  free(leaders);
  return started == count ? 0 : fail(EAGAIN);
}
