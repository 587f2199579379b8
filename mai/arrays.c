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

#include "fail.h"
#include "filled.h"
#include "kernel.h"
#include "mai.h"
#include "memory.h"
#include "message.h"
#include "next_touch.h"
#include "overrides.h"
#include "replicas.h"
#include "report.h"
#include "rows.h"
#include "threads.h"

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
  struct mai_rows_shares rows;
  bool divided = array->settled && mai_rows_share(array, 0, &rows) == 0;
  const mai_policy_t *policy = divided ? &rows.policy : &array->policy;
  int result = mai_policy_place(machine, policy, &array->shape, &array->pages, &array->placement);
  if (divided)
    mai_rows_free(&rows);
  return result;
}

void mai_array_leave_alone(struct mai_array *array, const mai_policy_t *asked, int error) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  mai_placement_free(&array->placement);
  mai_policy_free(&array->policy);
  array->policy = first_touch;
  mai_array_plan(array);
  mai_policy_copy(asked, &array->policy);
  array->error = error;
}

static int plan_by(struct mai_array *array, const mai_policy_t *policy) {
  if (mai_policy_copy(policy, &array->policy) != 0)
    return -1;
  if (mai_array_plan(array) == 0) {
    if (mai_filled_waits(array))
      mai_filled_later();
    return 0;
  }
  int error = errno;
  mai_policy_free(&array->policy);
  return fail(error);
}

int mai_array_choose(struct mai_array *array, const mai_policy_t *asked) {
  const mai_policy_t *override = mai_override_for(array->name);
  if (override && plan_by(array, override) == 0)
    return 0;
  if (override)
    mai_message("MAI_POLICY: the policy for '%s' does not suit it (%s): its own stays", array->name,
                strerror(errno));
  return plan_by(array, asked);
}

struct mai_placing mai_array_placing(const struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  unsigned team = mai_threads_team_size();
  unsigned cpus = numarch_cpu_count(machine->topology);
  return (struct mai_placing){.strict = array->policy.flags & MAI_STRICT,
                              .local = array->policy.kind != MAI_POLICY_FIRST_TOUCH,
                              .populate = array->policy.flags & MAI_POPULATE ||
                                          mai_environment_flag("MAI_POPULATE"),
                              .huge_pages = array->options.huge_pages,
                              .huge_page_size = array->pages.huge,
                              .node_count = machine->node_count,
                              .topology = machine->topology,
                              .workers = team < cpus ? team : cpus};
}

/* How many of the pages [page, end) are on nodes on which they belong. */
static size_t count_right(const struct mai_placement *placement, size_t page, size_t end) {
  enum { BATCH = 1024 };
  int nodes[BATCH];
  size_t right = 0;
  for (; page < end; page += BATCH) {
    size_t count = end - page < BATCH ? end - page : BATCH;
    uintptr_t start = placement->start + page * placement->page_size;
    if (mai_kernel_where(start, placement->page_size, count, nodes) != 0)
      return right;
    for (size_t i = 0; i < count; i++)
      right += nodes[i] >= 0 && mai_placement_accepts(placement, page + i, (uint32_t)nodes[i]);
  }
  return right;
}

static size_t free_bytes(const struct mai_array *array, uint32_t node) {
  return array->options.huge_pages == MAI_HUGE_EXPLICIT
             ? mai_kernel_free_huge_on(node, array->pages.page)
             : mai_kernel_free_on(node);
}

/* Whether `needed` pages find room on one of the nodes, or spread over them. */
static bool find_room(const struct mai_array *array, const uint32_t *nodes, uint32_t count,
                      size_t needed) {
  size_t pages = 0;
  for (uint32_t i = 0; i < count && pages < needed; i++) {
    size_t pages_there = free_bytes(array, nodes[i]) / array->placement.page_size;
    pages = pages_there < needed - pages ? pages + pages_there : needed;
  }
  return pages >= needed;
}

/* With MAI_STRICT a page that finds its node full would end the program later: find out now. */
static int check_room(const struct mai_array *array, bool has_contents) {
  const struct mai_placement *placement = &array->placement;
  size_t *needed = calloc(MAI_MOST_NODES, sizeof *needed);
  size_t anywhere = 0;
  if (!needed)
    return -1;
  for (size_t page = 0; page < placement->pages;) {
    uint32_t node = mai_placement_node(placement, page);
    size_t end = mai_placement_run_end(placement, page);
    size_t pages = end - page - (has_contents ? count_right(placement, page, end) : 0);
    *(node < MAI_MOST_NODES ? &needed[node] : &anywhere) += pages;
    page = end;
  }
  bool fits = placement->rule != MAI_RULE_ANY_OF ||
              find_room(array, placement->nodes, placement->count, anywhere);
  for (uint32_t node = 0; fits && node < MAI_MOST_NODES; node++)
    fits = !needed[node] || find_room(array, &node, 1, needed[node]);
  free(needed);
  return fits ? 0 : fail(ENOMEM);
}

static int place_new(struct mai_array *array) {
  struct mai_placing placing = mai_array_placing(array);
  if (placing.strict && check_room(array, false) != 0)
    return -1;
  if (mai_placer_apply(&array->placement, &placing) == 0)
    return 0;
  array->error = errno;
  return placing.strict || errno == ENOMEM ? -1 : 0;
}

/* Where there is nothing to place, pages may have to be brought in all the same. */
static int leave_unplaced(struct mai_array *array) {
  struct mai_placing placing = mai_array_placing(array);
  array->error = mai_machine()->placement_error;
  if (!placing.populate || array->origin != MAI_ALLOCATED || mai_machine()->watch_only)
    return 0;
  return mai_placer_populate(&array->placement, &placing);
}

int mai_array_place(struct mai_array *array) {
  bool places = mai_machine_places(mai_machine());
  double begin = now();
  int result = places ? place_new(array) : leave_unplaced(array);
  array->placing_seconds += now() - begin;
  return result;
}

static int replace_contents(struct mai_array *array, bool from_file, struct mai_moves *moves) {
  struct mai_placing placing = mai_array_placing(array);
  if (placing.strict && check_room(array, true) != 0)
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
  if (result == 0 && array->policy.kind == MAI_POLICY_NEXT_TOUCH)
    return mai_next_touch_begin(array, 0, 0);
  return result;
}

static int follow(struct mai_array *array, struct mai_moves *moves) {
  const struct mai_placement *placement = &array->placement;
  struct mai_placing placing = mai_array_placing(array);
  uintptr_t end = placement->start + placement->pages * placement->page_size;
  if (array->origin != MAI_ALLOCATED && !mai_memory_kind(placement->start, end).replaceable)
    return fail(EACCES);
  if (placing.strict && check_room(array, true) != 0)
    return -1;
  return mai_placer_apply(placement, &placing) == 0
             ? mai_placer_move(placement, &placing, 0, placement->pages, moves)
             : -1;
}

int mai_array_follow(struct mai_array *array, struct mai_moves *moves) {
  if (array->placement.pages == 0 || !mai_machine_places(mai_machine()))
    return 0;
  double begin = now();
  int result = follow(array, moves);
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
  const mai_policy_t *policy = wish->name && !wish->is_copy ? mai_override_for(wish->name) : NULL;
  if (!policy)
    policy = wish->policy;
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
  if (!array)
    return;
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
  int chosen = wish->is_copy ? plan_by(array, wish->policy) : mai_array_choose(array, wish->policy);
  if (chosen == 0 && mai_array_place(array) == 0)
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

void mai_array_end_next_touch(struct mai_array *array) {
  const struct mai_placement *placement = &array->placement;
  mai_next_touch_end(placement->start, placement->pages * placement->page_size,
                     &array->moved_pages);
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
static struct mai_array *copy_resized(struct mai_array *old, size_t count) {
  struct mai_array_wish wish = {.shape = old->shape,
                                .policy = &old->policy,
                                .options = old->options,
                                .name = mai_array_is_nameless(old) ? NULL : old->name};
  if (count == 0 || __builtin_mul_overflow(count, old->shape.strides[0], &wish.shape.bytes)) {
    errno = count ? EOVERFLOW : EINVAL;
    return NULL;
  }
  struct mai_array *array = mai_array_allocate(&wish);
  if (!array)
    return NULL;
  mai_array_end_next_touch(old);
  copy_contents(old, (char *)array->shape.start,
                old->shape.bytes < array->shape.bytes ? old->shape.bytes : array->shape.bytes);
  if (array->policy.kind != MAI_POLICY_NEXT_TOUCH || !mai_machine_places(mai_machine()) ||
      mai_next_touch_begin(array, 0, 0) == 0)
    return array;
  mai_array_discard(array);
  return NULL;
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
  if (known)
    mai_registry_remove_locked(old);
  mai_registry_unlock();
  mai_array_discard(known ? old : array);
  return moved;
}

int mai_free(void *start) {
  if (!start)
    return 0;
  struct mai_array *array = mai_registry_take(start, MAI_ALLOCATED, mai_report_wanted());
  if (!array)
    return fail(EINVAL);
  mai_array_discard(array);
  return 0;
}
