/*===-- allocate.c - random calls that allocate and free --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <mai.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "machine.h"
#include "policies.h"

static const size_t sizes[] = {1, 3, 8, 16, 24, 100, 512, 4096, 5000};

/* The extents of an array of about `bytes` bytes. */
static void draw_extents(struct worker *worker, struct array *array, size_t bytes) {
  size_t left = bytes / array->size + 1;
  array->dimensions = one_in(worker, 2) ? 1 : 1 + (unsigned)draw(worker, 5);
  array->bytes = array->size;
  for (unsigned i = 0; i < array->dimensions; i++) {
    bool last = i + 1 == array->dimensions;
    array->extents[i] = last ? left : 1 + draw(worker, left < 40 ? left : 40);
    left = left / array->extents[i] + 1;
    array->bytes *= array->extents[i];
  }
}

static void describe(struct worker *worker, struct array *array) {
  memset(array, 0, sizeof *array);
  do {
    array->size = sizes[draw(worker, sizeof sizes / sizeof *sizes)];
    draw_extents(worker, array, draw_bytes(worker));
  } while (array->bytes > MOST_BYTES);
  if (one_in(worker, 2))
    snprintf(array->name, sizeof array->name, "a%u.%lu", worker->number, worker->call);
}

static mai_options_t draw_options(struct worker *worker) {
  mai_options_t options = {0, (unsigned)draw(worker, 3)};
  if (one_in(worker, 2))
    options.alignment = (size_t)1 << draw(worker, 23);
  return options;
}

static void *allocate_units(struct worker *worker, struct array *array,
                            const struct policy *policy) {
  size_t count = array->extents[0];
  array->dimensions = 1;
  array->bytes = count * array->size;
  unsigned node = machine.nodes[draw(worker, machine.node_count)];
  array->may_copy = false;
  switch (draw(worker, 4)) {
  case 0:
    calling(worker, "mai_alloc_bind(%zu, %zu, %u)", count, array->size, node);
    *array->name = 0;
    return mai_alloc_bind(count, array->size, node);
  case 1:
    calling(worker, "mai_alloc_block(%zu, %zu)", count, array->size);
    *array->name = 0;
    return mai_alloc_block(count, array->size);
  case 2:
    calling(worker, "mai_alloc_cyclic(%zu, %zu)", count, array->size);
    *array->name = 0;
    return mai_alloc_cyclic(count, array->size);
  default:
    array->may_copy = policy->replicates;
    calling(worker, "mai_alloc(%zu, %zu, '%s', %s)", count, array->size, policy->text, array->name);
    return mai_alloc(count, array->size, policy->text, *array->name ? array->name : NULL);
  }
}

static void *allocate_shape(struct worker *worker, struct array *array,
                            const struct policy *policy) {
  mai_options_t options = draw_options(worker);
  bool asked = one_in(worker, 2);
  array->alignment = asked ? options.alignment : 0;
  array->may_copy = policy->replicates;
  calling(worker, "mai_alloc_shape(%u, {%zu, %zu, ...}, %zu, '%s', {%zu, %u}, %s)",
          array->dimensions, array->extents[0], array->extents[1], array->size, policy->text,
          asked ? options.alignment : 0, asked ? options.huge_pages : 0, array->name);
  return mai_alloc_shape(array->dimensions, array->extents, array->size, policy->text,
                         asked ? &options : NULL, *array->name ? array->name : NULL);
}

/* Take over what was allocated; a strict policy may find no room. */
static void settle(struct worker *worker, struct array *array, void *start, bool strict) {
  if (!start && strict) {
    expect_errno(worker, ENOMEM, 0);
    return;
  }
  expect_success(worker, start);
  size_t alignment = array->alignment ? array->alignment : 64;
  if ((uintptr_t)start % alignment)
    wrong(worker, "%p is not aligned to %zu", start, alignment);
  array->kind = ALLOCATED;
  array->whole_pages = array->known = true;
  array->start = array->memory = start;
  array->memory_bytes = array->bytes;
  check_pages(worker, array);
  if (one_in(worker, 4))
    check_array(worker, array);
  write_some(worker, array);
}

static void allocate(struct worker *worker, struct array *array) {
  struct policy policy;
  describe(worker, array);
  bool units = one_in(worker, 2);
  if (units)
    array->dimensions = 1;
  draw_policy(worker, extents_of(array), true, &policy);
  void *start = (units ? allocate_units : allocate_shape)(worker, array, &policy);
  settle(worker, array, start, policy.strict);
}

void call_allocate(struct worker *worker) { allocate(worker, make_room(worker)); }

void make_quiet_array(struct worker *worker) {
  struct array *quiet = &worker->quiet;
  *quiet = (struct array){.kind = ALLOCATED,
                          .whole_pages = true,
                          .known = true,
                          .bytes = 60 * CELL,
                          .size = CELL,
                          .dimensions = 1,
                          .extents = {60},
                          .memory_bytes = 60 * CELL};
  calling(worker, "mai_alloc_cyclic(60, %d), which stays", CELL);
  quiet->start = quiet->memory = mai_alloc_cyclic(60, CELL);
  expect_success(worker, quiet->start);
  for (size_t cell = 0; cell < count_cells(quiet); cell++)
    write_cell(quiet, cell, (uint32_t)cell + 1);
}

/*===-- Wrong arguments ----------------------------------------------------===*/

static void wrong_policy(struct worker *worker, struct array *array) {
  struct policy policy;
  int error = draw_bad_policy(worker, extents_of(array), &policy);
  calling(worker, "mai_alloc_shape, '%s'", policy.text);
  if (mai_alloc_shape(array->dimensions, array->extents, array->size, policy.text, NULL, NULL))
    wrong(worker, "it is taken");
  expect_errno(worker, error, 0);
}

static void wrong_size(struct worker *worker, struct array *array) {
  const char *policy = "block";
  size_t huge = SIZE_MAX / 2 + draw(worker, 1000);
  calling(worker, "mai_alloc of 0 or too many");
  switch (draw(worker, 5)) {
  case 0:
    if (mai_alloc(0, array->size, policy, NULL))
      wrong(worker, "0 units");
    expect_errno(worker, EINVAL, 0);
    break;
  case 1:
    if (mai_alloc_block(5, 0) || mai_alloc_cyclic(0, 0) || mai_alloc_bind(0, 1, 0))
      wrong(worker, "units of 0");
    expect_errno(worker, EINVAL, 0);
    break;
  case 2:
    if (mai_alloc(huge, 4, policy, NULL))
      wrong(worker, "%zu units", huge);
    expect_errno(worker, EOVERFLOW, 0);
    break;
  case 3:
    if (mai_alloc(1, huge, policy, NULL))
      wrong(worker, "%zu bytes", huge);
    expect_errno(worker, ENOMEM, 0);
    break;
  default:
    if (mai_alloc(5, 5, NULL, NULL))
      wrong(worker, "no policy");
    expect_errno(worker, EINVAL, 0);
  }
}

static void wrong_shape(struct worker *worker, struct array *array) {
  const char *policy = "cyclic";
  mai_options_t options = {3 + 4 * draw(worker, 5), MAI_HUGE_DEFAULT};
  size_t none[5] = {3, 0, 3, 3, 3};
  void *start = NULL;
  calling(worker, "mai_alloc_shape of wrong dimensions or options");
  switch (draw(worker, 5)) {
  case 0:
    start = mai_alloc_shape(one_in(worker, 2) ? 0 : 6 + (unsigned)draw(worker, 9), none, 8, policy,
                            NULL, NULL);
    break;
  case 1:
    start = mai_alloc_shape(2 + (unsigned)draw(worker, 4), none, 8, policy, NULL, NULL);
    break;
  case 2:
    start = mai_alloc_shape(1, NULL, 8, policy, NULL, NULL);
    break;
  case 3:
    start = mai_alloc_shape(1, array->extents, 8, policy, &options, NULL);
    break;
  default:
    options = (mai_options_t){0, 4 + (unsigned)draw(worker, 100)};
    start = mai_alloc_shape(1, array->extents, 8, policy, &options, NULL);
  }
  if (start)
    wrong(worker, "it is taken");
  expect_errno(worker, EINVAL, 0);
}

void call_allocate_wrongly(struct worker *worker) {
  static void (*const calls[])(struct worker *, struct array *) = {wrong_policy, wrong_size,
                                                                   wrong_shape};
  struct array array;
  describe(worker, &array);
  calls[draw(worker, 3)](worker, &array);
}

/*===-- Growing and freeing ------------------------------------------------===*/

void call_realloc(struct worker *worker) {
  struct array *array = any_array(worker, 1 << ALLOCATED);
  if (!array)
    return;
  size_t row = array->bytes / array->extents[0];
  size_t count = draw_bytes(worker) / row + !one_in(worker, 20);
  if (count * row > MOST_BYTES)
    return;
  calling(worker, "mai_realloc(%p, %zu) of %zu", (void *)array->start, count, array->extents[0]);
  char *moved = mai_realloc(array->start, count);
  if (!moved) { /* a range, or shares, may not fit any more */
    expect_errno(worker, EINVAL, ENOMEM, 0);
    check_array(worker, array);
    return;
  }
  if (count == 0 || array->has_copies)
    wrong(worker, "no array, or one with copies");
  expect_success(worker, true);
  array->start = array->memory = moved;
  array->extents[0] = count;
  resize_contents(array, count * row);
  check_pages(worker, array);
  check_array(worker, array);
}

static void expect_forgotten(struct worker *worker, const char *start) {
  struct mai_pages pages;
  calling(worker, "mai_verify, mai_free of %p, which is freed", (const void *)start);
  if (mai_verify(start, &pages, NULL, 0) != -1)
    wrong(worker, "it is known still");
  expect_errno(worker, EINVAL, 0);
}

static void free_array(struct worker *worker, struct array *array) {
  char *start = array->start;
  if (one_in(worker, 2))
    check_array(worker, array);
  calling(worker, "mai_free(%p) of %zu bytes", (void *)start, array->bytes);
  expect_done(worker, mai_free(start), 0);
  array->kind = NO_ARRAY;
}

void call_free(struct worker *worker) {
  struct array *array = any_array(worker, OWN_KINDS);
  if (!array)
    return;
  char *start = array->start;
  release_memory(worker, array);
  if (alone(worker))
    expect_forgotten(worker, start);
}

void release_memory(struct worker *worker, struct array *array) {
  if (array->kind == ALLOCATED)
    free_array(worker, array);
  else if (array->kind != NO_ARRAY)
    release_own(worker, array);
}

void free_arrays(struct worker *worker) {
  for (size_t i = 0; i < ARRAYS; i++)
    release_memory(worker, &worker->arrays[i]);
  if (worker->quiet.kind != NO_ARRAY)
    free_array(worker, &worker->quiet);
}

void call_free_wrongly(struct worker *worker) {
  struct array *array = any_array(worker, ANY_KIND);
  char own[64];
  void *pointer = own;
  if (array && array->bytes > 1)
    pointer = array->start + 1 + draw(worker, array->bytes - 1);
  calling(worker, "mai_free, mai_realloc of %p, which is no array", pointer);
  if (one_in(worker, 2) ? mai_free(pointer) != -1 : mai_realloc(pointer, 10) != NULL)
    wrong(worker, "it is taken");
  expect_errno(worker, EINVAL, 0);
  calling(worker, "mai_free(NULL)");
  expect_done(worker, mai_free(NULL), 0);
}
