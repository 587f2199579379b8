/*===-- follow.c - arrays follow the program's team --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Arrays are placed anew while other threads may use them: pages that are in memory are moved one
 * by one.
 */
#include "follow.h"

#include <errno.h>
#include <string.h>

#include "arrays.h"
#include "lifetime.h"
#include "policy.h"
#include "registry.h"

/* What mai_migrate*() has moved is the program's own decision. */
static bool follows(const struct mai_array *array) {
  return array->origin != MAI_WATCHED && !array->replicas && !array->error &&
         !array->placement.moved && mai_policy_means_default_team(&array->policy);
}

/* Nothing is listed where the rule says it all. */
static bool is_alike(const struct mai_placement *left, const struct mai_placement *right) {
  return left->count == right->count && left->rule == right->rule &&
         (left->count == 0 ||
          memcmp(left->nodes, right->nodes, left->count * sizeof *left->nodes) == 0);
}

static void place_anew(struct mai_array *array) {
  struct mai_array placed = *array;
  struct mai_moves moves = {0};
  if (mai_array_plan(&placed) != 0)
    return;
  if (is_alike(&placed.placement, &array->placement)) {
    mai_placement_free(&placed.placement);
    return;
  }
  if (mai_array_follow(&placed, &moves) != 0)
    placed.error = errno;
  struct mai_placement before = array->placement;
  mai_registry_update(array, &placed);
  mai_placement_free(&before);
}

void mai_follow_team(void) {
  const void *behind = NULL;
  struct mai_array *array;
  while ((array = mai_lifetime_hold_behind(behind, MAI_TO_CHANGE))) {
    behind = (const void *)array->shape.start;
    if (follows(array))
      place_anew(array);
    mai_registry_release(array);
  }
}
