/*===-- move.c - moves an array to where a pattern says ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "move.h"

#include <errno.h>
#include <string.h>

#include "mai/arrays/arrays.h"
#include "mai/arrays/lifetime.h"
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

/*===-- Moving -------------------------------------------------------------===*/

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
static bool move_chunk(struct mai_array *array, size_t first, struct mai_moved *moved) {
  const struct mai_placing placing = mai_array_placing(array);
  size_t chunk = CHUNK_BYTES / array->placement.page_size;
  size_t left = array->placement.pages - first;
  struct mai_moves moves = {0};
  double begin = minas_own_seconds();
  int result =
      mai_placer_move(&array->placement, &placing, first, left < chunk ? left : chunk, &moves);
  moved->seconds += minas_own_seconds() - begin;
  moved->pages += moves.moved;
  moved->full = moves.full > 0;
  array->moved_pages += moves.moved;
  return result == 0 && !moved->full;
}

void mai_move(struct mai_array *array, struct mai_placement *placement, bool (*is_to_end)(void),
              struct mai_moved *moved) {
  const void *start = (const void *)array->shape.start;
  const struct mai_account *account = array->account;
  const uint32_t *nodes = placement->nodes;
  size_t chunk = CHUNK_BYTES / placement->page_size;
  *moved = (struct mai_moved){0};
  take_placement(array, placement);
  size_t first = 0;
  bool goes_on = true;
  while (goes_on) {
    goes_on = move_chunk(array, first, moved) && (first += chunk) < array->placement.pages &&
              !is_to_end();
    mai_registry_release(array);
    if (!goes_on || !(array = mai_lifetime_hold(start, MAI_TO_CHANGE)))
      return;
    if (!is_it(array, account, nodes)) {
      mai_registry_release(array);
      return;
    }
  }
}
