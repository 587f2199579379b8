/*===-- follow.c - arrays follow the program's team, and its numbers *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Arrays are placed anew while other threads may use them: pages that are in memory are moved one
 * by one.
 *
 * A number that says how much of an array is in use may be another in each region, as the sizes of
 * a multigrid method's levels are, and moving pages costs what it is to save.  So an array follows
 * at once only for the first time.  Then the number has to stay what it is for some regions, each
 * time for twice as many.
 */
#include "follow.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "arrays.h"
#include "lifetime.h"
#include "mai/process/call.h"
#include "mai/process/restrictions.h"
#include "mai/threads/binding.h"
#include "mai/threads/regions.h"
#include "openmp/objects.h"
#include "policy.h"
#include "registry.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

/*===-- The team -----------------------------------------------------------===*/

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

/*===-- Numbers ------------------------------------------------------------===*/

struct follower {
  struct follower *next;
  const void *array;
  unsigned long units; /* for each that the number counts */
};

struct number {
  struct number *next;
  const volatile void *address;
  unsigned long bytes;
  long followed; /* what the arrays are divided for; 0: they have not followed yet */
  long seen;
  unsigned regions, patience; /* it was that in so many regions, and has to be in so many */
  struct follower *followers;
};

static struct number *_Atomic numbers;
static struct minas_lock lock = MINAS_LOCK_INITIALISER;

static long value_of(const struct number *number) {
  return number->bytes == sizeof(int) ? *(const volatile int *)number->address
                                      : *(const volatile long *)number->address;
}

/* By less the parts of threads would hardly differ. */
static bool differs(long value, long from) { return labs(value - from) > from / 16; }

static bool is_to_be_followed(struct number *number) {
  long value = value_of(number);
  number->regions = value == number->seen ? number->regions + 1 : 1;
  number->seen = value;
  return value > 0 && number->regions >= number->patience && differs(value, number->followed);
}

/* All of it where more is counted than there is. */
static mai_policy_t for_use(const struct mai_array *array, unsigned long units) {
  mai_policy_t policy = array->policy;
  size_t all = mai_shape_extent(&array->shape, 0);
  policy.count = units < all - policy.first ? units : 0;
  return policy;
}

static void divide(const struct follower *follower, long value) {
  unsigned long units;
  struct mai_array *array = mai_lifetime_hold(follower->array, MAI_TO_CHANGE);
  if (!array)
    return;
  if (follows(array) && !__builtin_mul_overflow((unsigned long)value, follower->units, &units)) {
    mai_policy_t policy = for_use(array, units);
    struct mai_moves moves = {0};
    bool is_another = policy.count != array->policy.count;
    if (is_another && mai_array_place_anew(array, &policy, !__libc_single_threaded, &moves) != 0)
      array->error = errno;
  }
  mai_registry_release(array);
}

static void follow(struct number *number) {
  number->followed = number->seen;
  number->patience *= 2;
  for (const struct follower *each = number->followers; each; each = each->next)
    divide(each, number->seen);
}

static void see_region(const void *body, const void *base) {
  (void)body, (void)base;
  if (mai_call_is_inside() || mai_is_restricted() || !mai_binding_is_first_thread())
    return;
  MAI_CALL;
  int error = errno;
  for (struct number *number = atomic_load(&numbers); number; number = number->next)
    if (is_to_be_followed(number))
      follow(number);
  errno = error;
}

/* @return NULL without memory for it */
static struct number *number_of(const struct mai_static_array *entry) {
  struct number *first = atomic_load(&numbers);
  for (struct number *number = first; number; number = number->next)
    if (number->address == entry->in_use)
      return number;
  struct number *number = minas_alloc(sizeof *number);
  if (!number)
    return NULL;
  *number = (struct number){
      .next = first, .address = entry->in_use, .bytes = entry->in_use_bytes, .patience = 1};
  if (!first)
    mai_regions_watch(see_region);
  atomic_store(&numbers, number);
  return number;
}

/* What a library holds is gone when the program unloads it. */
static bool stays(const volatile void *address) {
  struct mai_object object;
  return mai_object_at((const void *)address, &object) && !*object.path;
}

static void add(const struct mai_static_array *entry) {
  struct number *number = number_of(entry);
  struct follower *follower = number ? minas_alloc(sizeof *follower) : NULL;
  if (!follower)
    return;
  *follower = (struct follower){number->followers, (const void *)entry->start, entry->units};
  number->followers = follower;
}

void mai_follow_number(const struct mai_static_array *entry) {
  bool is_number = entry->in_use_bytes == sizeof(int) || entry->in_use_bytes == sizeof(long);
  if (!is_number || !entry->units || !stays(entry->in_use) || !mai_machine_places(mai_machine()))
    return;
  minas_lock(&lock);
  add(entry);
  minas_unlock(&lock);
}
