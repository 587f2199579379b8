/*===-- replicas.c - a read-only copy of an array on each node -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The array itself moves to the first node and is its copy; each other node gets a mapping of the
 * same shape.  All are protected against writing: a write to one of them would leave the others
 * behind, silently.
 */
#include "replicas.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "fail.h"
#include "kernel.h"
#include "mai.h"
#include "registry.h"

struct mai_replicas {
  uint32_t home; /* the node of the array itself */
  size_t count;
  struct copy {
    uint32_t node;
    struct mai_array *array;
  } copies[];
};

size_t mai_replicas_count(const struct mai_replicas *replicas) {
  return replicas ? replicas->count : 0;
}

const struct mai_placement *mai_replicas_placement(const struct mai_replicas *replicas,
                                                   size_t index) {
  return &replicas->copies[index].array->placement;
}

void mai_replicas_free(struct mai_replicas *replicas) {
  if (!replicas)
    return;
  for (size_t i = 0; i < replicas->count; i++)
    mai_array_discard(replicas->copies[i].array);
  free(replicas);
}

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
  struct mai_array_wish wish = {.shape = array->shape,
                                .policy = &policy,
                                .options = array->options,
                                .name = array->name,
                                .is_copy = true};
  if (!wish.options.alignment) /* copies must not differ in what their elements are aligned to */
    wish.options.alignment = array->pages.page;
  struct mai_array *copy = mai_array_allocate(&wish);
  if (!copy)
    return NULL;
  memcpy((void *)copy->shape.start, (void *)array->shape.start, array->shape.bytes);
  mprotect(copy->mapping, copy->mapping_bytes, PROT_READ);
  return copy;
}

/* Let the array's pages belong on `node`. */
static int move_home(struct mai_array *array, uint32_t node) {
  struct mai_array moved = *array;
  struct mai_moves moves = {0};
  moved.policy = (mai_policy_t)MAI_BIND(node);
  if (mai_array_plan(&moved) != 0)
    return -1;
  if (mai_array_replace(&moved, false, &moves) != 0) {
    mai_placement_free(&moved.placement);
    return -1;
  }
  mai_placement_free(&array->placement);
  array->placement = moved.placement;
  array->moved_pages = moved.moved_pages;
  array->placing_seconds = moved.placing_seconds;
  return 0;
}

static int replicate(struct mai_array *array) {
  mai_array_end_next_touch(array);
  uint32_t nodes[MAI_MOST_NODES];
  uint32_t count = list_nodes(mai_machine(), &array->policy, nodes);
  struct mai_replicas *replicas = calloc(1, sizeof *replicas + count * sizeof *replicas->copies);
  if (!replicas)
    return -1;
  replicas->home = nodes[0];
  int result = move_home(array, nodes[0]);
  for (uint32_t i = 1; i < count && result == 0; i++) {
    struct mai_array *copy = make_copy(array, nodes[i]);
    if (copy)
      replicas->copies[replicas->count++] = (struct copy){nodes[i], copy};
    else
      result = -1;
  }
  if (result == 0)
    result = mprotect(array->mapping, array->mapping_bytes, PROT_READ);
  int error = errno;
  if (result == 0)
    array->replicas = replicas;
  else
    mai_replicas_free(replicas);
  errno = error;
  return result;
}

int mai_replicate(void *start) {
  mai_registry_lock();
  struct mai_array *array = mai_registry_find(start);
  bool fit = array && array->origin == MAI_ALLOCATED &&
             array->policy.kind == MAI_POLICY_REPLICATE && !array->replicas;
  int result = fit ? replicate(array) : fail(EINVAL);
  mai_registry_unlock();
  return result;
}

int mai_drop_replicas(void *start) {
  mai_registry_lock();
  struct mai_array *array = mai_registry_find(start);
  int result = array && array->policy.kind == MAI_POLICY_REPLICATE ? 0 : fail(EINVAL);
  if (result == 0 && array->replicas) {
    mprotect(array->mapping, array->mapping_bytes, PROT_READ | PROT_WRITE);
    mai_replicas_free(array->replicas);
    array->replicas = NULL;
  }
  mai_registry_unlock();
  return result;
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

static uintptr_t nearest(const struct mai_array *array) {
  const numarch_t *topology = mai_machine()->topology;
  const struct mai_replicas *replicas = array->replicas;
  uint32_t node = replicas ? own_node(topology) : NUMARCH_NONE;
  uintptr_t best = array->shape.start;
  if (node == NUMARCH_NONE)
    return best;
  uint32_t least = distance_to(topology, node, replicas->home);
  for (size_t i = 0; i < replicas->count && least > 0; i++) {
    uint32_t distance = distance_to(topology, node, replicas->copies[i].node);
    if (distance < least) {
      least = distance;
      best = replicas->copies[i].array->shape.start;
    }
  }
  return best;
}

const void *mai_replica(const void *start) {
  mai_registry_lock();
  const struct mai_array *array = mai_registry_find(start);
  const void *copy = array ? (const void *)nearest(array) : NULL;
  mai_registry_unlock();
  if (!copy)
    errno = EINVAL;
  return copy;
}
