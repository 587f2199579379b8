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
#include <time.h>

#include "kernel.h"
#include "mai.h"
#include "memory.h"
#include "message.h"
#include "next_touch.h"
#include "replicas.h"
#include "report.h"
#include "threads.h"

static int fail(int error) {
  errno = error;
  return -1;
}

/*===-- Placing ------------------------------------------------------------===*/

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int mai_array_plan(struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return -1;
  return mai_policy_place(machine, &array->policy, &array->shape, &array->pages, &array->placement);
}

struct mai_placing mai_array_placing(const struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  unsigned team = mai_threads_team_size();
  unsigned cpus = numarch_cpu_count(machine->topology);
  return (struct mai_placing){.strict = array->policy.flags & MAI_STRICT,
                              .local = array->policy.kind != MAI_POLICY_FIRST_TOUCH,
                              .populate = array->policy.flags & MAI_POPULATE ||
                                          mai_environment_flag("MAI_POPULATE"),
                              .explicit_huge = array->options.huge_pages == MAI_HUGE_EXPLICIT,
                              .huge_page_size = array->pages.huge,
                              .node_count = machine->node_count,
                              .topology = machine->topology,
                              .workers = team < cpus ? team : cpus};
}

/* With MAI_STRICT a page that finds its node full would end the program later: find out now. */
static int check_free_memory(const struct mai_machine *machine,
                             const struct mai_placement *placement) {
  uint32_t count = numarch_node_count(machine->topology);
  uint64_t *needed = calloc(count, sizeof *needed);
  if (!needed)
    return -1;
  for (size_t page = 0; page < placement->pages;) {
    size_t end = mai_placement_run_end(placement, page);
    uint32_t index =
        numarch_node_by_os_index(machine->topology, mai_placement_node(placement, page));
    if (index != NUMARCH_NONE)
      needed[index] += (end - page) * placement->page_size;
    page = end;
  }
  int result = 0;
  for (uint32_t index = 0; index < count && result == 0; index++) {
    int64_t available = numarch_memory_free(machine->topology, index);
    if (available >= 0 && needed[index] > (uint64_t)available)
      result = fail(ENOMEM);
  }
  free(needed);
  return result;
}

static int place_new(struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  struct mai_placing placing = mai_array_placing(array);
  if (placing.strict && check_free_memory(machine, &array->placement) != 0)
    return -1;
  if (mai_placer_apply(&array->placement, &placing) == 0)
    return 0;
  array->error = errno;
  return placing.strict ? -1 : 0;
}

int mai_array_place(struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  if (!mai_machine_places(machine)) {
    array->error = machine->placement_error;
    return 0;
  }
  double begin = now();
  int result = place_new(array);
  array->placing_seconds += now() - begin;
  return result;
}

static int replace_contents(struct mai_array *array, bool from_file, struct mai_moves *moves) {
  struct mai_placing placing = mai_array_placing(array);
  if (placing.strict && check_free_memory(mai_machine(), &array->placement) != 0)
    return -1;
  return mai_placer_replace(&array->placement, &placing, from_file, moves);
}

int mai_array_replace(struct mai_array *array, bool from_file, struct mai_moves *moves) {
  if (!mai_machine_places(mai_machine())) {
    array->error = mai_machine()->placement_error;
    return 0;
  }
  double begin = now();
  int result = replace_contents(array, from_file, moves);
  array->placing_seconds += now() - begin;
  array->moved_pages += moves->moved;
  return result;
}

/*===-- Allocating ---------------------------------------------------------===*/

/* After how many units the kernel's dealing by addresses begins again; 1: it does not deal. */
static size_t cycle_of(const struct mai_array_wish *wish, const struct mai_machine *machine) {
  enum { LONGEST = 1024 };
  struct mai_placement trial;
  struct mai_page_sizes pages = {machine->page_size, machine->huge_page_size};
  const mai_policy_t *policy = wish->policy;
  bool by_address = (policy->kind == MAI_POLICY_CYCLIC || policy->kind == MAI_POLICY_WEIGHTED) &&
                    policy->unit <= MAI_UNIT_PAGES;
  if (!by_address || !mai_machine_places(machine) ||
      mai_policy_place(machine, policy, &wish->shape, &pages, &trial) != 0)
    return 1;
  size_t cycle = trial.bounds ? trial.bounds[trial.count - 1] : trial.count;
  mai_placement_free(&trial);
  return cycle <= LONGEST ? cycle : 1;
}

static int map_memory(const struct mai_array_wish *wish, struct mai_memory *memory) {
  const struct mai_machine *machine = mai_machine();
  struct mai_memory_wish memory_wish = {
      .bytes = wish->shape.bytes, .options = wish->options, .cycle = cycle_of(wish, machine)};
  return mai_memory_map(machine, &memory_wish, memory);
}

void mai_array_discard(struct mai_array *array) {
  int error = errno;
  mai_next_touch_end((uintptr_t)array->mapping, array->mapping_bytes, NULL);
  if (array->mapping)
    munmap(array->mapping, array->mapping_bytes);
  mai_replicas_free(array->replicas);
  mai_array_delete(array);
  errno = error;
}

static struct mai_array *describe(const struct mai_array_wish *wish,
                                  const struct mai_memory *memory, const struct mai_shape *shape) {
  struct mai_array *array = mai_array_new(wish->name, memory->start);
  if (!array)
    return NULL;
  array->origin = MAI_ALLOCATED;
  array->shape = *shape;
  array->pages = memory->pages;
  array->options = wish->options;
  array->mapping = memory->mapping;
  array->mapping_bytes = memory->mapping_bytes;
  return array;
}

struct mai_array *mai_array_allocate(const struct mai_array_wish *wish) {
  struct mai_memory memory;
  struct mai_shape shape = wish->shape;
  if (!mai_machine() || map_memory(wish, &memory) != 0)
    return NULL;
  shape.start = (uintptr_t)memory.start;
  shape.whole_pages = true;
  struct mai_array *array = describe(wish, &memory, &shape);
  if (!array) {
    munmap(memory.mapping, memory.mapping_bytes);
    errno = ENOMEM;
    return NULL;
  }
  if (mai_policy_copy(wish->policy, &array->policy) == 0 && mai_array_plan(array) == 0 &&
      mai_array_place(array) == 0)
    return array;
  mai_array_discard(array);
  return NULL;
}

int mai_shape_of_units(size_t count, size_t size, struct mai_shape *shape) {
  *shape = (struct mai_shape){.dimensions = 1, .strides = {size}};
  if (count == 0 || size == 0)
    return fail(EINVAL);
  return __builtin_mul_overflow(count, size, &shape->bytes) ? fail(EOVERFLOW) : 0;
}

static int shape_of_extents(unsigned dimensions, const size_t *extents, size_t size,
                            struct mai_shape *shape) {
  *shape = (struct mai_shape){.dimensions = dimensions, .bytes = size};
  if (dimensions == 0 || dimensions > MAI_MOST_DIMENSIONS || !extents || size == 0)
    return fail(EINVAL);
  for (unsigned i = 0; i < dimensions; i++)
    if (extents[i] == 0)
      return fail(EINVAL);
  for (unsigned i = dimensions; i-- > 0;) {
    shape->strides[i] = shape->bytes;
    if (__builtin_mul_overflow(shape->bytes, extents[i], &shape->bytes))
      return fail(EOVERFLOW);
  }
  return 0;
}

/* Allocate an array and make it known. */
static void *allocate(const struct mai_array_wish *wish) {
  if (!wish->policy) {
    errno = EINVAL;
    return NULL;
  }
  struct mai_array *array = mai_array_allocate(wish);
  if (!array)
    return NULL;
  void *start = (void *)array->shape.start; /* once it is known, another thread may free it */
  if (mai_registry_add(array) == 0)
    return start;
  mai_array_discard(array);
  return NULL;
}

void *mai_alloc(size_t count, size_t size, const mai_policy_t *policy, const char *name) {
  struct mai_array_wish wish = {.policy = policy, .name = name};
  return mai_shape_of_units(count, size, &wish.shape) == 0 ? allocate(&wish) : NULL;
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

void *mai_alloc_shape(unsigned dimensions, const size_t *extents, size_t size,
                      const mai_policy_t *policy, const mai_options_t *options, const char *name) {
  struct mai_array_wish wish = {.policy = policy, .name = name};
  if (options)
    wish.options = *options;
  return shape_of_extents(dimensions, extents, size, &wish.shape) == 0 ? allocate(&wish) : NULL;
}

/*===-- Growing and freeing ------------------------------------------------===*/

/* Copy what `from` holds up to `bytes`, without touching what is for pages that nobody has touched
   there. */
static void copy_contents(const struct mai_array *from, char *to, size_t bytes) {
  enum { BATCH = 1024 };
  int nodes[BATCH];
  const struct mai_placement *placement = &from->placement;
  size_t size = placement->page_size;
  uintptr_t end = from->shape.start + bytes;
  for (size_t page = 0; page < placement->pages; page++) {
    uintptr_t address = placement->start + page * size;
    if (page % BATCH == 0 &&
        mai_kernel_where(address, size,
                         placement->pages - page < BATCH ? placement->pages - page : BATCH, nodes))
      memset(nodes, 0, sizeof nodes); /* not known: as if touched */
    uintptr_t first = address > from->shape.start ? address : from->shape.start;
    uintptr_t last = address + size < end ? address + size : end;
    if (nodes[page % BATCH] != MAI_PAGE_UNTOUCHED && first < last)
      memcpy(to + (first - from->shape.start), (void *)first, last - first);
  }
}

/* A new array like `old` with another extent, in no registry, with its contents. */
static struct mai_array *copy_resized(const struct mai_array *old, size_t count) {
  struct mai_array_wish wish = {.shape = old->shape,
                                .policy = &old->policy,
                                .options = old->options,
                                .name = mai_array_is_nameless(old) ? NULL : old->name};
  if (count == 0 || __builtin_mul_overflow(count, old->shape.strides[0], &wish.shape.bytes)) {
    errno = count ? EOVERFLOW : EINVAL;
    return NULL;
  }
  struct mai_array *array = mai_array_allocate(&wish);
  if (array)
    copy_contents(old, (char *)array->shape.start,
                  old->shape.bytes < array->shape.bytes ? old->shape.bytes : array->shape.bytes);
  return array;
}

void *mai_realloc(void *start, size_t count) {
  mai_registry_lock();
  struct mai_array *old = mai_registry_find(start);
  struct mai_array *array = NULL;
  if (old && old->origin == MAI_ALLOCATED && !old->replicas)
    array = copy_resized(old, count);
  else
    errno = EINVAL;
  bool known = array && mai_registry_add_locked(array) == 0;
  void *moved = known ? (void *)array->shape.start : NULL;
  mai_registry_unlock();
  if (array && !known)
    mai_array_discard(array);
  if (moved)
    mai_array_discard(mai_registry_take(start, false));
  return moved;
}

int mai_free(void *start) {
  if (!start)
    return 0;
  struct mai_array *array = mai_registry_take(start, mai_report_wanted());
  if (!array)
    return fail(EINVAL);
  mai_array_discard(array);
  return 0;
}
