/*===-- move.c - moves an array to where a pattern says ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "move.h"

#include <errno.h>
#include <string.h>

#include "mai/arrays/arrays.h"
#include "mai/arrays/lifetime.h"
#include "mai/memory/kernel.h"
#include "mai/policy/policy.h"
#include "runtime/clock.h"
#include "runtime/fail.h"

/* Who wants to free the array waits for so much to be moved. */
enum { CHUNK_BYTES = 2 << 20 };

/*===-- From a pattern to a policy -----------------------------------------===*/

static int policy_of(const struct mai_pattern *pattern, unsigned threads, mai_policy_t *policy) {
  *policy = (mai_policy_t)MAI_BLOCK;
  switch (pattern->kind) {
  case MAI_PATTERN_BLOCK:
    return 0;
  case MAI_PATTERN_REVERSED:
    policy->flags = MAI_REVERSED;
    return 0;
  case MAI_PATTERN_COLUMNS:
    policy->unit = MAI_UNIT_DIMENSION;
    policy->dimension = 1;
    return 0;
  case MAI_PATTERN_BLOCK_CYCLIC:
    policy->kind = MAI_POLICY_BLOCK_CYCLIC;
    policy->unit = MAI_UNIT_PAGES;
    policy->value = pattern->chunk;
    return 0;
  case MAI_PATTERN_SHARES:
    policy->shares = pattern->shares;
    policy->share_count = threads;
    return 0;
  case MAI_PATTERN_EVERYONE:
    policy->kind = MAI_POLICY_CYCLIC;
    return 0;
  default:
    return fail(EINVAL);
  }
}

int mai_pattern_place(const struct mai_pattern *pattern, const struct mai_array *array,
                      unsigned threads, struct mai_placement *placement, char *text, size_t size) {
  mai_policy_t policy;
  if (policy_of(pattern, threads, &policy) != 0 ||
      mai_policy_place(mai_machine(), &policy, &array->shape, &array->pages, placement) != 0)
    return -1;
  if ((size_t)mai_policy_format(&policy, text, size) >= size)
    *text = '\0';
  return 0;
}

/* As runs of pages on the same node. */
static int keep_nodes(struct mai_placement *placement, const uint16_t *nodes) {
  for (size_t first = 0, end; first < placement->pages; first = end) {
    for (end = first + 1; end < placement->pages && nodes[end] == nodes[first]; end++)
      ;
    if (nodes[first] != MAI_NOT_MOVED &&
        mai_placement_move(placement, first, end - first, nodes[first]) != 0)
      return -1;
  }
  return 0;
}

int mai_pattern_place_back(const struct mai_array *array, const uint16_t *nodes,
                           struct mai_placement *placement) {
  static const mai_policy_t anywhere = MAI_LOCAL;
  if (mai_policy_place(mai_machine(), &anywhere, &array->shape, &array->pages, placement) != 0)
    return -1;
  if (placement->pages == array->placement.pages && keep_nodes(placement, nodes) == 0)
    return 0;
  mai_placement_free(placement);
  return fail(ENOMEM);
}

/*===-- Moving -------------------------------------------------------------===*/

/* Pages that nobody has touched, or of which the kernel does not tell, are nowhere. */
static void note_nodes(const struct mai_placement *placement, size_t first, size_t count,
                       uint16_t *before) {
  enum { AT_A_TIME = 512 };
  int nodes[AT_A_TIME];
  for (size_t done = 0; done < count; done += AT_A_TIME) {
    size_t some = count - done < AT_A_TIME ? count - done : AT_A_TIME;
    uintptr_t start = placement->start + (first + done) * placement->page_size;
    bool told = mai_kernel_where(start, placement->page_size, some, nodes) == 0;
    for (size_t i = 0; i < some; i++)
      before[first + done + i] = told && nodes[i] >= 0 ? (uint16_t)nodes[i] : MAI_NOT_MOVED;
  }
}

static void take_placement(struct mai_array *array, struct mai_placement *placement) {
  struct mai_array changed = *array;
  struct mai_placement before = array->placement;
  changed.placement = *placement;
  mai_registry_update(array, &changed);
  mai_placement_free(&before);
}

/* Whether an array is the one that is being moved, and belongs there still. */
static bool is_it(const struct mai_array *array, const struct mai_account *account,
                  const uint32_t *nodes) {
  return array->account == account && array->placement.nodes == nodes;
}

/* @return whether to go on */
static bool move_chunk(struct mai_array *array, size_t first, uint16_t *before,
                       struct mai_moved *moved) {
  const struct mai_placing placing = mai_array_placing(array);
  size_t chunk = CHUNK_BYTES / array->placement.page_size;
  size_t left = array->placement.pages - first;
  size_t count = left < chunk ? left : chunk;
  struct mai_moves moves = {0};
  double begin = minas_own_seconds();
  note_nodes(&array->placement, first, count, before);
  int result = mai_placer_move(&array->placement, &placing, first, count, &moves);
  moved->seconds += minas_own_seconds() - begin;
  moved->pages += moves.moved;
  moved->full = moves.full > 0;
  array->moved_pages += moves.moved;
  return result == 0 && !moved->full;
}

void mai_move(struct mai_array *array, struct mai_placement *placement, uint16_t *before,
              bool (*is_to_end)(void), struct mai_moved *moved) {
  const void *start = (const void *)array->shape.start;
  const struct mai_account *account = array->account;
  const uint32_t *nodes = placement->nodes;
  size_t chunk = CHUNK_BYTES / placement->page_size;
  *moved = (struct mai_moved){0};
  take_placement(array, placement);
  for (size_t page = 0; page < array->placement.pages; page++)
    before[page] = MAI_NOT_MOVED;
  size_t first = 0;
  bool goes_on = true;
  while (goes_on) {
    goes_on = move_chunk(array, first, before, moved) &&
              (first += chunk) < array->placement.pages && !is_to_end();
    mai_registry_release(array);
    if (!goes_on || !(array = mai_lifetime_hold(start, MAI_TO_CHANGE)))
      return;
    if (!is_it(array, account, nodes)) {
      mai_registry_release(array);
      return;
    }
  }
}
