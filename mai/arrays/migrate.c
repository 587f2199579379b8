/*===-- migrate.c - places arrays that hold data anew ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <string.h>

#include "arrays.h"
#include "next_touch.h"
#include "mai/process/call.h"
#include "runtime/fail.h"
#include "contents.h"
#include "mai/memory/kernel.h"
#include "lifetime.h"
#include "mai.h"
#include "policy.h"

/* Hold the array that starts here and whose pages may be placed. */
static struct mai_array *hold_placed(const void *start) {
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_CHANGE);
  if (!array || (array->origin != MAI_WATCHED && !array->replicas))
    return array;
  mai_registry_release(array);
  errno = EINVAL;
  return NULL;
}

static void add_moves(struct mai_moves *sum, const struct mai_moves *moves) {
  if (!sum)
    return;
  sum->moved += moves->moved;
  sum->right += moves->right;
  sum->untouched += moves->untouched;
  sum->full += moves->full;
  sum->shared += moves->shared;
  sum->busy += moves->busy;
  sum->failed += moves->failed;
}

/*===-- The whole array ----------------------------------------------------===*/

/* What the program does with its own memory is not known. */
static int apply(struct mai_array *array, struct mai_moves *moves) {
  return array->origin == MAI_ALLOCATED ? mai_array_replace(array, false, moves)
                                        : mai_array_take_over(array, moves);
}

int mai_array_place_anew(struct mai_array *array, const mai_policy_t *policy, bool in_use,
                         struct mai_moves *moves) {
  mai_array_end_next_touch(array);
  struct mai_array placed = *array;
  if (mai_policy_copy(policy ? policy : &array->policy, &placed.policy) != 0)
    return -1;
  if (mai_array_plan(&placed) != 0) {
    mai_policy_free(&placed.policy);
    return -1;
  }
  placed.error = 0;
  if ((in_use ? mai_array_follow : apply)(&placed, moves) != 0) {
    int error = errno;
    mai_placement_free(&placed.placement);
    mai_policy_free(&placed.policy);
    return fail(error);
  }
  struct mai_placement before = array->placement;
  mai_policy_t policy_before = array->policy;
  if (policy)
    placed.tries = 0;
  mai_registry_update(array, &placed);
  mai_placement_free(&before);
  mai_policy_free(&policy_before);
  if (policy && mai_contents_awaited(array))
    mai_contents_await();
  return 0;
}

static int replace_unless_refused(struct mai_array *array, const mai_policy_t *policy,
                                  struct mai_moves *moves) {
  int error = mai_machine()->placement_error;
  return error ? fail(error) : mai_array_place_anew(array, policy, false, moves);
}

static int replace(void *start, const mai_policy_t *policy, struct mai_moves *sum) {
  struct mai_moves moves = {0};
  struct mai_array *array = hold_placed(start);
  int result = array ? replace_unless_refused(array, policy, &moves) : -1;
  if (array)
    mai_registry_release(array);
  if (sum)
    *sum = moves;
  return result;
}

int mai_replace(void *start, const char *policy, struct mai_moves *sum) {
  MAI_CALL;
  mai_policy_t asked = {0};
  if (policy && mai_policy_take(policy, &asked) != 0)
    return -1;
  int result = replace(start, policy ? &asked : NULL, sum);
  mai_policy_release(&asked);
  return result;
}

int mai_replace_all(struct mai_moves *sum) {
  MAI_CALL;
  const void *behind = NULL;
  struct mai_array *array;
  int error = 0;
  if (sum)
    *sum = (struct mai_moves){0};
  while ((array = mai_lifetime_hold_behind(behind, MAI_TO_CHANGE))) {
    struct mai_moves moves = {0};
    bool placed =
        array->origin != MAI_WATCHED && array->origin != MAI_ROW_OF_HEAP && !array->replicas;
    behind = (const void *)array->shape.start;
    if (placed && replace_unless_refused(array, NULL, &moves) != 0 && !error)
      error = errno;
    mai_registry_release(array);
    add_moves(sum, &moves);
  }
  return error ? fail(error) : 0;
}

int mai_scatter(void *start, struct mai_moves *moves) {
  MAI_CALL;
  static const mai_policy_t cyclic = MAI_CYCLIC;
  return replace(start, &cyclic, moves);
}

/*===-- Parts --------------------------------------------------------------===*/

/* A set of bytes of an array: of each period of `period` bytes those in [first, first + bytes). */
struct part {
  size_t period;
  size_t first;
  size_t bytes;
};

/* Whether the byte in the middle of a page is in the part. */
static bool holds(const struct mai_array *array, const struct part *part, size_t page) {
  const struct mai_placement *placement = &array->placement;
  uintptr_t middle = placement->start + page * placement->page_size + placement->page_size / 2;
  size_t offset = middle > array->shape.start ? middle - array->shape.start : 0;
  if (offset >= array->shape.bytes)
    offset = array->shape.bytes - 1;
  return offset % part->period - part->first < part->bytes;
}

/* The first page from `page` on that is in the part, or that is not. */
static size_t next_page(const struct mai_array *array, const struct part *part, size_t page,
                        bool held) {
  while (page < array->placement.pages && holds(array, part, page) != held)
    page++;
  return page;
}

struct migration {
  struct mai_array *array;
  const struct part *part;
  uint32_t node;
  struct mai_moves *moves;
  struct mai_placing placing;
  bool in_one_piece;
};

static bool has_untouched(const struct mai_placement *placement, size_t first, size_t count) {
  enum { BATCH = 1024 };
  int nodes[BATCH];
  for (size_t page = first; page < first + count; page += BATCH) {
    size_t batch = first + count - page < BATCH ? first + count - page : BATCH;
    uintptr_t start = placement->start + page * placement->page_size;
    if (mai_kernel_where(start, placement->page_size, batch, nodes) != 0)
      return true;
    for (size_t i = 0; i < batch; i++)
      if (nodes[i] == MAI_PAGE_UNTOUCHED)
        return true;
  }
  return false;
}

/* Pages that are not in memory yet: their policy is set, or they are populated.  A policy makes a
   mapping of its own, of which a process has not many: it is set where it serves. */
static int prepare_untouched(const struct migration *migration, size_t first, size_t count) {
  const struct mai_array *array = migration->array;
  const struct mai_placement *placement = &array->placement;
  uintptr_t start = placement->start + first * placement->page_size;
  bool all = count == placement->pages;
  bool balanced = array->policy.kind == MAI_POLICY_FIRST_TOUCH; /* by the kernel */
  if (migration->in_one_piece && !all && !balanced && !has_untouched(placement, first, count))
    return 0;
  if (migration->in_one_piece) {
    mai_array_note_cut(migration->array);
    return mai_kernel_set_range(start, count * placement->page_size, MAI_MODE_PREFER,
                                &migration->node, 1);
  }
  for (size_t page = 0; page < count; page++) {
    int node;
    uintptr_t address = start + page * placement->page_size;
    if (mai_kernel_where(address, placement->page_size, 1, &node) != 0 ||
        (node == MAI_PAGE_UNTOUCHED &&
         mai_kernel_populate(address, placement->page_size, placement->page_size) != 0))
      return -1;
  }
  return 0;
}

static int migrate_run(const struct migration *migration, size_t first, size_t end) {
  struct mai_placement *placement = &migration->array->placement;
  if (mai_placement_move(placement, first, end - first, migration->node) != 0 ||
      prepare_untouched(migration, first, end - first) != 0)
    return -1;
  return mai_placer_move(placement, &migration->placing, first, end - first, migration->moves);
}

static int migrate_runs(const struct migration *migration) {
  const struct mai_array *array = migration->array;
  size_t page = next_page(array, migration->part, 0, true);
  while (page < array->placement.pages) {
    size_t end = next_page(array, migration->part, page, false);
    if (migrate_run(migration, page, end) != 0)
      return -1;
    page = next_page(array, migration->part, end, true);
  }
  return 0;
}

static int migrate(struct mai_array *array, const struct part *part, unsigned node,
                   struct mai_moves *moves) {
  const struct mai_machine *machine = mai_machine();
  struct migration migration = {.array = array,
                                .part = part,
                                .node = node,
                                .moves = moves,
                                .placing = mai_array_placing(array),
                                .in_one_piece = part->period == array->shape.bytes};
  if (!mai_machine_has_node(machine, node))
    return fail(ENODEV);
  if (machine->placement_error)
    return fail(machine->placement_error);
  if (!mai_machine_places(machine))
    return 0;
  mai_array_end_next_touch(array);
  int result = migrate_runs(&migration);
  array->moved_pages += moves->moved;
  return result;
}

/* Whether [first, first + count) lies in an extent. */
static bool lies_within(size_t first, size_t count, size_t extent) {
  return first <= extent && count <= extent - first;
}

/* Migrate indices [first, first + count) of a dimension, or bytes where `dimension` is -1. */
static int migrate_part(void *start, int dimension, size_t first, size_t count, unsigned node,
                        struct mai_moves *sum) {
  struct mai_moves moves = {0};
  struct mai_array *array = hold_placed(start);
  int result = -1;
  if (array && dimension >= (int)array->shape.dimensions) {
    errno = EINVAL;
  } else if (array) {
    size_t unit = dimension < 0 ? 1 : array->shape.strides[dimension];
    size_t period = dimension > 0 ? array->shape.strides[dimension - 1] : array->shape.bytes;
    struct part part = {period, first * unit, count * unit};
    result = lies_within(first, count, period / unit) ? migrate(array, &part, node, &moves)
                                                      : fail(EINVAL);
  }
  if (array)
    mai_registry_release(array);
  if (sum)
    *sum = moves;
  return result;
}

int mai_migrate_range(void *start, size_t offset, size_t bytes, unsigned node,
                      struct mai_moves *moves) {
  MAI_CALL;
  return migrate_part(start, -1, offset, bytes, node, moves);
}

int mai_migrate_rows(void *start, size_t first, size_t count, unsigned node,
                     struct mai_moves *moves) {
  MAI_CALL;
  return migrate_part(start, 0, first, count, node, moves);
}

int mai_migrate_columns(void *start, size_t first, size_t count, unsigned node,
                        struct mai_moves *moves) {
  MAI_CALL;
  return migrate_part(start, 1, first, count, node, moves);
}

int mai_migrate(void *start, unsigned node, struct mai_moves *sum) {
  MAI_CALL;
  struct mai_moves moves = {0};
  struct mai_array *array = hold_placed(start);
  int result = -1;
  if (array) {
    struct part all = {array->shape.bytes, 0, array->shape.bytes};
    result = migrate(array, &all, node, &moves);
    mai_registry_release(array);
  }
  if (sum)
    *sum = moves;
  return result;
}

/*===-- Next touch ---------------------------------------------------------===*/

static int next_touch(struct mai_array *array, size_t offset, size_t bytes) {
  const struct mai_machine *machine = mai_machine();
  if (array->origin == MAI_WATCHED || array->replicas || offset > array->shape.bytes ||
      bytes > array->shape.bytes - offset)
    return fail(EINVAL);
  if (machine->placement_error)
    return fail(machine->placement_error);
  return mai_machine_places(machine) ? mai_next_touch_begin(array, offset, bytes) : 0;
}

int mai_next_touch(void *start, size_t offset, size_t bytes) {
  MAI_CALL;
  if (!mai_machine())
    return -1;
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_CHANGE);
  if (!array)
    return -1;
  int result = next_touch(array, offset, bytes);
  mai_registry_release(array);
  return result;
}
