/*===-- allocate.c - allocates arrays ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <string.h>

#include "arrays.h"
#include "mai/process/call.h"
#include "runtime/fail.h"
#include "mai/memory/kernel.h"
#include "lifetime.h"
#include "mai.h"
#include "mai/memory/memory.h"
#include "next_touch.h"
#include "mai/arrays/overrides.h"
#include "mai/memory/pool.h"
#include "policy.h"
#include "replicas.h"
#include "summary.h"

/* The policy that the array will have: where it has a name, the user may have set one. */
static const mai_policy_t *policy_of(const struct mai_array_request *request) {
  const mai_policy_t *policy =
      request->name && !request->is_copy ? mai_override_for(request->name) : NULL;
  return policy ? policy : request->policy;
}

/* After how many units the kernel's interleaving by addresses begins again; 1: it does not
 * distribute. */
static size_t cycle_of(const struct mai_array_request *request, const struct mai_machine *machine) {
  enum { LONGEST = 1024 };
  struct mai_placement trial;
  struct mai_page_sizes pages = {machine->page_size, machine->huge_page_size};
  const mai_policy_t *policy = policy_of(request);
  bool by_address = (policy->kind == MAI_POLICY_CYCLIC || policy->kind == MAI_POLICY_WEIGHTED) &&
                    policy->unit <= MAI_UNIT_PAGES && !policy->piece;
  if (!by_address || !mai_machine_places(machine) ||
      mai_policy_place(machine, policy, &request->shape, &pages, &trial) != 0)
    return 1;
  size_t cycle = trial.bounds ? trial.bounds[trial.count - 1] : trial.count;
  mai_placement_free(&trial);
  return cycle <= LONGEST ? cycle : 1;
}

static int map_memory(const struct mai_array_request *request, struct mai_memory *memory) {
  const struct mai_machine *machine = mai_machine();
  struct mai_memory_request memory_request = {.bytes = request->shape.bytes,
                                              .options = request->options,
                                              .cycle = cycle_of(request, machine)};
  return mai_memory_map(machine, &memory_request, memory);
}

static struct mai_array *describe(const struct mai_array_request *request) {
  struct mai_array *array = mai_array_new(request->name, NULL);
  if (!array)
    return NULL;
  array->origin = MAI_ALLOCATED;
  array->shape = request->shape;
  array->shape.ends = MAI_ENDS_OWN;
  array->options = request->options;
  return array;
}

static int choose(struct mai_array *array, const struct mai_array_request *request) {
  return request->is_copy ? mai_array_plan_by(array, request->policy)
                          : mai_array_choose(array, request->policy);
}

/* An array without a name is called after its address, once that is known. */
static int set_memory(struct mai_array *array, const struct mai_array_request *request,
                      void *start) {
  array->shape.start = (uintptr_t)start;
  return request->name ? 0 : mai_array_name_by_address(array);
}

/*===-- Memory of its own --------------------------------------------------===*/

static int allocate_mapping(struct mai_array *array, const struct mai_array_request *request) {
  struct mai_memory memory;
  if (map_memory(request, &memory) != 0)
    return -1;
  array->pages = memory.pages;
  array->mapping = memory.mapping;
  array->mapping_bytes = memory.mapping_bytes;
  if (set_memory(array, request, memory.start) != 0 || choose(array, request) != 0)
    return -1;
  return mai_array_place(array);
}

/*===-- Memory from a pool -------------------------------------------------===*/

/* Whether an array can be a part of a mapping: it asks for nothing else, and its pages will not be
   protected. */
static bool is_poolable(const struct mai_array_request *request) {
  const mai_policy_t *policy = policy_of(request);
  return request->shape.bytes <= MAI_POOLED_BYTES && !request->is_copy &&
         !request->options.alignment && !request->options.huge_pages &&
         !(policy->flags & MAI_STRICT) && policy->kind != MAI_POLICY_NEXT_TOUCH &&
         policy->kind != MAI_POLICY_REPLICATE;
}

/* The pool for pages that belong where `placement` says; `local`: not where the kernel likes. */
static struct mai_pool *pool_for(const struct mai_placement *placement, bool local) {
  uint32_t node = mai_placement_node(placement, 0);
  bool one_node = mai_placement_count_runs(placement, 1) == 1;
  if (one_node && node != MAI_ANY_NODE)
    return mai_pool(MAI_POOL_NODE, node);
  return mai_pool(one_node && !local ? MAI_POOL_PLAIN : MAI_POOL_LOCAL, 0);
}

static size_t round_to_pages(size_t bytes) {
  size_t page = mai_machine()->page_size;
  return (bytes + page - 1) / page * page;
}

static struct mai_pool *choose_pool(const struct mai_array *array) {
  if (!mai_machine_places(mai_machine()))
    return mai_pool(MAI_POOL_PLAIN, 0);
  return pool_for(&array->placement, array->policy.kind != MAI_POLICY_FIRST_TOUCH);
}

/* The plan says which pool, and is made anew when the address is known. */
static int allocate_part(struct mai_array *array, const struct mai_array_request *request) {
  const struct mai_machine *machine = mai_machine();
  size_t cycle = cycle_of(request, machine);
  array->pages = (struct mai_page_sizes){machine->page_size, 0};
  array->mapping_bytes = round_to_pages(request->shape.bytes);
  array->shape.start = cycle * machine->page_size;
  if (choose(array, request) != 0)
    return -1;
  array->pool = choose_pool(array);
  array->mapping = array->pool ? mai_pool_take(array->pool, array->mapping_bytes, cycle) : NULL;
  if (!array->mapping) {
    array->pool = NULL;
    return fail(ENOMEM);
  }
  mai_placement_free(&array->placement);
  if (set_memory(array, request, array->mapping) != 0 || mai_array_plan(array) != 0)
    return -1;
  return mai_array_place(array);
}

struct mai_array *mai_array_allocate(const struct mai_array_request *request) {
  if (!mai_machine())
    return NULL;
  struct mai_array *array = describe(request);
  if (!array)
    return NULL;
  if ((is_poolable(request) ? allocate_part : allocate_mapping)(array, request) == 0)
    return array;
  mai_array_discard(array);
  return NULL;
}

/*===-- Shapes -------------------------------------------------------------===*/

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

/* @return its start: once it is known, another thread may free it */
static void *make_known(struct mai_array *array) {
  void *start = (void *)array->shape.start;
  mai_lifetime_begin(array);
  return start;
}

/* Allocate an array and make it known. */
static void *allocate(const struct mai_array_request *request) {
  struct mai_array *array = mai_array_allocate(request);
  return array ? make_known(array) : NULL;
}

/* The same by the policy that a call is given. */
static void *allocate_by(const char *policy, struct mai_array_request *request) {
  mai_policy_t asked;
  if (mai_policy_take(policy, &asked) != 0)
    return NULL;
  request->policy = &asked;
  void *start = allocate(request);
  request->policy = NULL;
  mai_policy_release(&asked);
  return start;
}

void *mai_alloc(size_t count, size_t size, const char *policy, const char *name) {
  MAI_CALL;
  struct mai_array_request request = {.name = name};
  return mai_shape_of_units(count, size, &request.shape) == 0 ? allocate_by(policy, &request)
                                                              : NULL;
}

static void *allocate_units(size_t count, size_t size, mai_policy_t policy) {
  MAI_CALL;
  struct mai_array_request request = {.policy = &policy};
  return mai_shape_of_units(count, size, &request.shape) == 0 ? allocate(&request) : NULL;
}

void *mai_alloc_bind(size_t count, size_t size, unsigned node) {
  return allocate_units(count, size, (mai_policy_t)MAI_BIND(node));
}

void *mai_alloc_block(size_t count, size_t size) {
  return allocate_units(count, size, (mai_policy_t)MAI_BLOCK);
}

void *mai_alloc_cyclic(size_t count, size_t size) {
  return allocate_units(count, size, (mai_policy_t)MAI_CYCLIC);
}

void *mai_alloc_shape(unsigned dimensions, const size_t *extents, size_t size, const char *policy,
                      const mai_options_t *options, const char *name) {
  MAI_CALL;
  struct mai_array_request request = {.name = name};
  if (options)
    request.options = *options;
  if (shape_of_extents(dimensions, extents, size, &request.shape) != 0)
    return NULL;
  return allocate_by(policy, &request);
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
  struct mai_array_request request = {.shape = old->shape,
                                      .policy = &old->policy,
                                      .options = old->options,
                                      .name = mai_array_is_nameless(old) ? NULL : old->name};
  if (count == 0 || __builtin_mul_overflow(count, old->shape.strides[0], &request.shape.bytes)) {
    errno = count ? EOVERFLOW : EINVAL;
    return NULL;
  }
  struct mai_array *array = mai_array_allocate(&request);
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

static struct mai_array *hold_allocated(void *start) {
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_CHANGE);
  if (!array || array->origin == MAI_ALLOCATED)
    return array;
  mai_registry_release(array);
  errno = EINVAL;
  return NULL;
}

/* The array with another extent, to which the calling thread holds the old one; NULL with errno. */
static struct mai_array *resize(struct mai_array *old, size_t count) {
  if (!old->replicas)
    return copy_resized(old, count);
  errno = EINVAL;
  return NULL;
}

void *mai_realloc(void *start, size_t count) {
  MAI_CALL;
  struct mai_array *old = hold_allocated(start);
  if (!old)
    return NULL;
  struct mai_array *array = resize(old, count);
  if (!array) {
    mai_registry_release(old);
    return NULL;
  }
  mai_registry_remove(old);
  mai_array_discard(old);
  return make_known(array);
}

int mai_free(void *start) {
  MAI_CALL;
  struct mai_array *array = start ? hold_allocated(start) : NULL;
  if (!array)
    return start ? -1 : 0;
  mai_registry_remove(array);
  mai_array_end_next_touch(array);
  mai_summary_remember(array);
  mai_array_discard(array);
  return 0;
}
