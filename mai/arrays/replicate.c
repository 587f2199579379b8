/*===-- replicate.c - a read-only copy of an array on each node --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The array itself moves to the first node and is its copy; each other node gets a mapping of the
 * same shape.  All are protected against writing: a write to one of them would leave the others
 * behind, silently.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "lifetime.h"
#include "mai.h"
#include "mai/process/call.h"
#include "next_touch.h"
#include "replicas.h"
#include "runtime/fail.h"
#include "runtime/heap.h"

/*===-- Making copies ------------------------------------------------------===*/

/* The nodes that get a copy: those of the policy, else those on which threads can run. */
static uint32_t list_nodes(const struct mai_machine *machine, const mai_policy_t *policy,
                           uint32_t *nodes) {
  uint32_t count = 0;
  for (unsigned i = 0; i < policy->node_count; i++)
    nodes[count++] = policy->nodes[i];
  for (uint32_t i = 0; !policy->node_count && i < machine->node_count; i++) {
    uint32_t index = numarch_node_by_os_index(machine->topology, machine->nodes[i]);
    if (numarch_get_node(machine->topology, index)->cpu_count)
      nodes[count++] = machine->nodes[i];
  }
  if (count == 0)
    nodes[count++] = machine->nodes[0];
  return count;
}

static struct mai_array *make_copy(const struct mai_array *array, uint32_t node) {
  mai_policy_t policy = MAI_BIND(node);
  policy.flags = array->policy.flags & MAI_STRICT;
  struct mai_array_request request = {.shape = array->shape,
                                      .policy = &policy,
                                      .options = array->options,
                                      .name = array->name,
                                      .is_copy = true};
  if (!request.options.alignment) /* copies must not differ in what their elements are aligned to */
    request.options.alignment = array->pages.page;
  struct mai_array *copy = mai_array_allocate(&request);
  if (!copy)
    return NULL;
  memcpy((void *)copy->shape.start, (void *)array->shape.start, array->shape.bytes);
  mprotect(copy->mapping, copy->mapping_bytes, PROT_READ);
  return copy;
}

/* Let the array's pages belong on `node`. */
static int move_original(struct mai_array *array, uint32_t node) {
  struct mai_array moved = *array;
  struct mai_moves moves = {0};
  moved.policy = (mai_policy_t)MAI_BIND(node);
  if (mai_array_plan(&moved) != 0)
    return -1;
  if (mai_array_replace(&moved, false, &moves) != 0) {
    mai_placement_free(&moved.placement);
    return -1;
  }
  struct mai_placement before = array->placement;
  moved.policy = array->policy;
  mai_registry_update(array, &moved);
  mai_placement_free(&before);
  return 0;
}

static void set_replicas(struct mai_array *array, struct mai_replicas *replicas) {
  struct mai_array changed = *array;
  changed.replicas = replicas;
  mai_registry_update(array, &changed);
}

static int replicate(struct mai_array *array) {
  mai_array_end_next_touch(array);
  uint32_t nodes[MAI_MOST_NODES];
  uint32_t count = list_nodes(mai_machine(), &array->policy, nodes);
  struct mai_replicas *replicas = minas_alloc(sizeof *replicas + count * sizeof *replicas->copies);
  if (!replicas)
    return -1;
  replicas->node = nodes[0];
  int result = move_original(array, nodes[0]);
  for (uint32_t i = 1; i < count && result == 0; i++) {
    struct mai_array *copy = make_copy(array, nodes[i]);
    if (copy)
      replicas->copies[replicas->count++] = (struct copy){nodes[i], copy};
    else
      result = -1;
  }
  if (result == 0)
    result = mprotect(array->mapping, array->mapping_bytes, PROT_READ);
  if (result == 0)
    set_replicas(array, replicas);
  else
    mai_replicas_free(replicas);
  return result;
}

static struct mai_array *hold_replicable(void *start) {
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_CHANGE);
  if (!array || (array->origin == MAI_ALLOCATED && array->policy.kind == MAI_POLICY_REPLICATE))
    return array;
  mai_registry_release(array);
  errno = EINVAL;
  return NULL;
}

int mai_replicate(void *start) {
  MAI_CALL;
  struct mai_array *array = hold_replicable(start);
  if (!array)
    return -1;
  int result = array->replicas ? fail(EINVAL) : replicate(array);
  mai_registry_release(array);
  return result;
}

int mai_drop_replicas(void *start) {
  MAI_CALL;
  struct mai_array *array = hold_replicable(start);
  if (!array)
    return -1;
  struct mai_replicas *replicas = array->replicas;
  if (replicas) {
    mprotect(array->mapping, array->mapping_bytes, PROT_READ | PROT_WRITE);
    set_replicas(array, NULL);
    mai_replicas_free(replicas);
  }
  mai_registry_release(array);
  return 0;
}

/*===-- Choosing one -------------------------------------------------------===*/

/* Logical index of the node on which the calling thread is now. */
static uint32_t own_node(const numarch_t *topology) {
  unsigned cpu;
  if (getcpu(&cpu, NULL) != 0)
    return NUMARCH_NONE;
  uint32_t index = numarch_cpu_by_os_index(topology, cpu);
  return index == NUMARCH_NONE ? NUMARCH_NONE : numarch_get_cpu(topology, index)->node;
}

static uint32_t distance_to(const numarch_t *topology, uint32_t from, uint32_t os_node) {
  uint32_t to = numarch_node_by_os_index(topology, os_node);
  uint32_t distance = numarch_distance(topology, from, to);
  return from == to ? 0 : distance ? distance : UINT32_MAX;
}

/* What is nearest to a node. */
struct choice {
  const numarch_t *topology;
  uint32_t node; /* logical index; NUMARCH_NONE: not known */
  const void *asked;
  uintptr_t start; /* of the copy */
};

/* While nobody can change the array. */
static bool choose(const struct mai_array *array, void *context) {
  struct choice *choice = context;
  const struct mai_replicas *replicas = array->replicas;
  choice->start = array->shape.start;
  if (choice->start != (uintptr_t)choice->asked || array->origin == MAI_WATCHED)
    return false;
  if (!replicas || choice->node == NUMARCH_NONE)
    return true;
  uint32_t least = distance_to(choice->topology, choice->node, replicas->node);
  for (size_t i = 0; i < replicas->count && least > 0; i++) {
    uint32_t distance = distance_to(choice->topology, choice->node, replicas->copies[i].node);
    if (distance < least) {
      least = distance;
      choice->start = replicas->copies[i].array->shape.start;
    }
  }
  return true;
}

const void *mai_replica(const void *start) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return NULL;
  struct choice choice = {
      .topology = machine->topology, .node = own_node(machine->topology), .asked = start};
  if (mai_registry_look((uintptr_t)start, (uintptr_t)start + 1, choose, &choice))
    return (const void *)choice.start;
  errno = EINVAL;
  return NULL;
}
