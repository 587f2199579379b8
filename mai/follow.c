/*===-- follow.c - arrays follow the program's team --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A policy that names no team means the default one, of as many threads as omp_get_max_threads()
 * says.  A program that never opens such a team but gives all regions a num_threads clause means
 * the first of those.
 *
 * Only what the program's first thread does outside of regions counts.  Arrays are placed anew
 * while other threads may use them: pages that are in memory are moved one by one.
 */
#include "follow.h"

#include <errno.h>
#include <string.h>

#include "arrays.h"
#include "message.h"
#include "place.h"
#include "policy.h"
#include "registry.h"
#include "threads.h"

/*===-- One array ----------------------------------------------------------===*/

/* What mai_migrate*() has moved is the program's own decision. */
static bool follows(const struct mai_array *array) {
  return array->origin != MAI_WATCHED && !array->replicas && !array->error &&
         !array->placement.moved && mai_policy_means_default_team(&array->policy);
}

static bool is_alike(const struct mai_placement *left, const struct mai_placement *right) {
  return left->count == right->count && left->rule == right->rule &&
         memcmp(left->nodes, right->nodes, left->count * sizeof *left->nodes) == 0;
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
  mai_placement_free(&array->placement);
  *array = placed;
}

static void place_all_anew(void) {
  mai_registry_lock();
  for (size_t i = 0; mai_registry_at(i); i++)
    if (follows(mai_registry_at(i)))
      place_anew(mai_registry_at(i));
  mai_registry_unlock();
}

/*===-- The team -----------------------------------------------------------===*/

/* Written by the first thread only. */
static struct {
  bool default_seen; /* a region without a clause has begun */
  unsigned changes;
} team;

/* A program that changes its team all the time would spend its time moving pages. */
static void follow(unsigned size) {
  enum { MOST_CHANGES = 16 };
  static bool said;
  if (size == mai_threads_team_size())
    return;
  if (team.changes == MOST_CHANGES) {
    mai_message_once(&said, "the size of the team has changed %d times: arrays stay where they are",
                     MOST_CHANGES);
    return;
  }
  team.changes++;
  if (mai_threads_set_team_size(size) == 0)
    place_all_anew();
}

/* A thread that is at home on a node opens the teams of mai_on_node(), smaller ones. */
static bool counts(const struct mai_openmp *openmp) {
  return mai_threads_follow() && mai_place_is_first_thread() && mai_place_home() == MAI_NO_HOME &&
         openmp->get_level() == 0;
}

void mai_follow_region(const struct mai_openmp *openmp, unsigned requested) {
  if (requested == 1 || (requested && team.default_seen) || !counts(openmp))
    return;
  if (!requested)
    team.default_seen = true;
  else if (mai_threads_are_bound_by_user()) /* only a default team can be sent to look where */
    return;
  int size = requested ? (int)requested : openmp->get_max_threads();
  if (size > 0)
    follow((unsigned)size);
}

void mai_follow_setting(void) {
  struct mai_openmp openmp;
  if (!mai_openmp_of_program(&openmp) || !counts(&openmp))
    return;
  int size = openmp.get_max_threads();
  if (size > 0)
    follow((unsigned)size);
}
