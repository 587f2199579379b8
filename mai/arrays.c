/*===-- arrays.c - allocates arrays and places them ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "arrays.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mai.h"
#include "message.h"
#include "placer.h"
#include "report.h"
#include "threads.h"

static size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

/* Cyclic deals huge pages only to arrays that have enough of them to be spread evenly. */
static size_t deal_size(const struct mai_machine *machine, size_t bytes) {
  enum { HUGE_PAGES_A_NODE = 8 };
  size_t huge = machine->huge_page_size;
  return huge && bytes / huge >= (size_t)HUGE_PAGES_A_NODE * machine->node_count
             ? huge
             : machine->page_size;
}

/* Threads that nothing pins are assumed to spread evenly over the nodes, in order. */
static uint32_t node_of_thread(const struct mai_machine *machine, uint32_t thread,
                               uint32_t threads) {
  uint32_t index = mai_threads_node(thread);
  if (index != NUMARCH_NONE)
    return numarch_get_node(machine->topology, index)->os_index;
  return machine->nodes[(uint64_t)thread * machine->node_count / threads];
}

/* Writes the nodes of `machine` on which threads run to `nodes`, ascending. @return how many */
static uint32_t list_nodes_with_threads(const struct mai_machine *machine,
                                        const struct mai_terrain *terrain, uint32_t *nodes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < machine->node_count; i++)
    for (uint32_t thread = 0; thread < terrain->thread_count; thread++)
      if (terrain->thread_nodes[thread] == machine->nodes[i]) {
        nodes[count++] = machine->nodes[i];
        break;
      }
  return count;
}

static int check_policy(const struct mai_machine *machine, const mai_policy_t *policy) {
  if (policy->kind > MAI_POLICY_CYCLIC || policy->flags & ~(MAI_STRICT | MAI_THREAD_NODES)) {
    errno = EINVAL;
    return -1;
  }
  if (policy->kind == MAI_POLICY_BIND && !mai_machine_has_node(machine, policy->node)) {
    errno = ENODEV;
    return -1;
  }
  return 0;
}

int mai_array_plan(struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  if (!machine || check_policy(machine, &array->policy) != 0)
    return -1;
  uint32_t threads = array->policy.threads ? array->policy.threads : mai_threads_team_size();
  uint32_t *thread_nodes = calloc(threads, sizeof *thread_nodes);
  uint32_t *nodes = calloc(machine->node_count, sizeof *nodes);
  int result = -1;
  if (thread_nodes && nodes) {
    for (uint32_t i = 0; i < threads; i++)
      thread_nodes[i] = node_of_thread(machine, i, threads);
    struct mai_terrain terrain = {.page_size = machine->page_size,
                                  .deal_size = deal_size(machine, array->shape.bytes),
                                  .deal_mask = machine->interleave_mask,
                                  .node_count = machine->node_count,
                                  .nodes = machine->nodes,
                                  .thread_count = threads,
                                  .thread_nodes = thread_nodes};
    if (array->policy.flags & MAI_THREAD_NODES) {
      terrain.node_count = list_nodes_with_threads(machine, &terrain, nodes);
      terrain.nodes = nodes;
    }
    result = mai_placement_compute(&array->policy, &array->shape, &terrain, &array->placement);
  }
  free(nodes);
  free(thread_nodes);
  return result;
}

/* With MAI_STRICT a page that finds its node full would end the program later: find out now. */
static int check_free_memory(const struct mai_machine *machine,
                             const struct mai_placement *placement) {
  uint32_t count = numarch_node_count(machine->topology);
  int64_t *needed = calloc(count, sizeof *needed);
  if (!needed)
    return -1;
  for (size_t page = 0; page < placement->pages; page++) {
    uint32_t node = mai_placement_node(placement, page);
    uint32_t index = numarch_node_by_os_index(machine->topology, node);
    if (index != NUMARCH_NONE)
      needed[index] += (int64_t)placement->page_size;
  }
  int result = 0;
  for (uint32_t index = 0; index < count && result == 0; index++) {
    int64_t available = numarch_memory_free(machine->topology, index);
    if (available >= 0 && needed[index] > available)
      result = -1;
  }
  free(needed);
  if (result != 0)
    errno = ENOMEM;
  return result;
}

int mai_array_place(struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  if (!mai_machine_places(machine)) {
    array->error = machine->placement_error;
    return 0;
  }
  struct mai_placing placing = {.strict = array->policy.flags & MAI_STRICT,
                                .huge_page_size = machine->huge_page_size,
                                .node_count = machine->node_count};
  if (placing.strict && check_free_memory(machine, &array->placement) != 0)
    return -1;
  if (mai_placer_apply(&array->placement, &placing) == 0)
    return 0;
  array->error = errno;
  return placing.strict ? -1 : 0;
}

/* Whole huge pages are worth their alignment. */
static size_t alignment(const struct mai_machine *machine, size_t bytes) {
  bool huge = machine->huge_page_size && bytes >= machine->huge_page_size;
  return huge ? machine->huge_page_size : machine->page_size;
}

/* The first address from `start` on, at a multiple of `align`, at which cyclic begins with the
   first node: dealing follows the address. */
static uintptr_t first_deal(const struct mai_machine *machine, size_t bytes, uintptr_t start,
                            size_t align) {
  size_t deal = deal_size(machine, bytes);
  uintptr_t begin = round_up(start, align);
  for (uint32_t i = 0; i < machine->node_count; i++, begin += align)
    if ((begin / deal & machine->interleave_mask) % machine->node_count == 0)
      return begin;
  return round_up(start, align);
}

/* Map the array where it should begin: map more, and give both ends back. */
static void *map_aligned(const struct mai_machine *machine, const struct mai_array *array) {
  size_t bytes = array->mapping_bytes;
  size_t align = alignment(machine, bytes);
  bool cyclic = array->policy.kind == MAI_POLICY_CYCLIC;
  size_t slack = align * (cyclic ? machine->node_count : 1) - machine->page_size;
  if (bytes > SIZE_MAX - slack) {
    errno = ENOMEM;
    return NULL;
  }
  char *all = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) {
    errno = ENOMEM;
    return NULL;
  }
  char *start = (char *)(cyclic ? first_deal(machine, array->shape.bytes, (uintptr_t)all, align)
                                : round_up((uintptr_t)all, align));
  size_t head = (size_t)(start - all);
  if (head)
    munmap(all, head);
  if (slack > head)
    munmap(start + bytes, slack - head);
  return start;
}

static int map_array(const struct mai_machine *machine, struct mai_array *array) {
  size_t bytes = array->shape.bytes;
  if (bytes > SIZE_MAX - machine->page_size) {
    errno = ENOMEM;
    return -1;
  }
  array->mapping_bytes = round_up(bytes, machine->page_size);
  array->mapping = map_aligned(machine, array);
  array->shape.start = (uintptr_t)array->mapping;
  return array->mapping ? 0 : -1;
}

static int name_by_address(struct mai_array *array) {
  char name[32];
  snprintf(name, sizeof name, "array@%p", array->mapping);
  free(array->name);
  array->name = strdup(name);
  return array->name ? 0 : -1;
}

static void discard(struct mai_array *array) {
  int error = errno;
  if (array->mapping)
    munmap(array->mapping, array->mapping_bytes);
  mai_array_delete(array);
  errno = error;
}

struct mai_array *mai_array_allocate(size_t bytes, size_t unit, const mai_policy_t *policy,
                                     const char *name) {
  const struct mai_machine *machine = mai_machine();
  struct mai_array *array = machine ? mai_array_new(name ? name : "") : NULL;
  if (!array)
    return NULL;
  array->origin = MAI_ALLOCATED;
  array->policy = *policy;
  array->shape = (struct mai_shape){.bytes = bytes, .unit = unit};
  if (map_array(machine, array) == 0 && (name || name_by_address(array) == 0) &&
      mai_array_plan(array) == 0 && mai_array_place(array) == 0)
    return array;
  discard(array);
  return NULL;
}

void *mai_alloc(size_t count, size_t size, const mai_policy_t *policy, const char *name) {
  size_t bytes;
  if (count == 0 || size == 0 || !policy) {
    errno = EINVAL;
    return NULL;
  }
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = EOVERFLOW;
    return NULL;
  }
  struct mai_array *array = mai_array_allocate(bytes, size, policy, name);
  if (!array)
    return NULL;
  void *start = array->mapping; /* once it is known, another thread may free it */
  if (mai_registry_add(array) != 0) {
    discard(array);
    return NULL;
  }
  return start;
}

void *mai_alloc_bind(size_t count, size_t size, unsigned node) {
  mai_policy_t policy = MAI_BIND(node);
  return mai_alloc(count, size, &policy, NULL);
}

void *mai_alloc_block(size_t count, size_t size) {
  mai_policy_t policy = MAI_BLOCK;
  return mai_alloc(count, size, &policy, NULL);
}

void *mai_alloc_cyclic(size_t count, size_t size) {
  mai_policy_t policy = MAI_CYCLIC;
  return mai_alloc(count, size, &policy, NULL);
}

int mai_free(void *start) {
  if (!start)
    return 0;
  struct mai_array *array = mai_registry_take(start, mai_report_wanted());
  if (!array) {
    errno = EINVAL;
    return -1;
  }
  discard(array);
  return 0;
}

int mai_verify(const void *start, struct mai_pages *pages, size_t *per_node, unsigned nodes) {
  return mai_registry_verify(start, pages, per_node, nodes);
}

int mai_node_meant(const void *address) { return mai_registry_node_meant(address); }

int mai_where(const void *address) {
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return -1;
  int node;
  uintptr_t page = (uintptr_t)address & ~(uintptr_t)(machine->page_size - 1);
  if (mai_placer_where(page, machine->page_size, 1, &node) != 0)
    return -1;
  if (node < 0)
    errno = node == MAI_PAGE_UNTOUCHED ? ENOENT : EFAULT;
  return node < 0 ? -1 : node;
}
