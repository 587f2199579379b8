/*===-- lifetime.c - when what is known of memory ends ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "lifetime.h"

#include <errno.h>

#include "mai/memory/budget.h"
#include "mai/memory/kernel.h"
#include "mai/memory/memory.h"
#include "next_touch.h"
#include "replicas.h"
#include "summary.h"

/*===-- Whether memory is still what it was --------------------------------===*/

/* Where the library has set no policy, all that can be told is that nothing is there any more.
   Between both ends so many pages are asked, evenly spread; whoever puts copies in place of pages
   asks for every range. */
static bool is_alive(const struct mai_array *array, enum mai_purpose purpose) {
  const struct mai_placement *placement = &array->placement;
  bool (*is_there)(uintptr_t) = array->governed ? mai_kernel_has_policy : mai_kernel_has_memory;
  size_t probes = purpose == MAI_TO_LOOK ? 2 : 64;
  if (placement->pages == 0 || !mai_machine_places(mai_machine()))
    return true;
  if (probes > placement->pages)
    probes = placement->pages;
  for (size_t i = 0; i < probes; i++) {
    size_t page = probes > 1 ? (placement->pages - 1) * i / (probes - 1) : 0;
    if (!is_there(placement->start + page * placement->page_size))
      return false;
  }
  return true;
}

/*===-- Ends ---------------------------------------------------------------===*/

static size_t placed_bytes(const struct mai_array *array) {
  return array->placement.pages * array->placement.page_size;
}

static void forget(struct mai_array *array) {
  mai_budget_change(array->pieces, 0);
  mai_replicas_free(array->replicas);
  mai_array_delete(array);
}

/* The memory is another's: nothing is done to it. */
static void bury(struct mai_array *array) {
  mai_next_touch_abandon(array);
  forget(array);
}

static struct mai_array *unless_dead(struct mai_array *array, enum mai_purpose purpose) {
  if (!array || is_alive(array, purpose))
    return array;
  mai_registry_remove(array);
  bury(array);
  return NULL;
}

struct mai_array *mai_lifetime_hold(const void *start, enum mai_purpose purpose) {
  struct mai_array *array = unless_dead(mai_registry_hold(start), purpose);
  if (!array)
    errno = EINVAL;
  return array;
}

struct mai_array *mai_lifetime_hold_behind(const void *start, enum mai_purpose purpose) {
  struct mai_array *array;
  while ((array = mai_registry_hold_behind(start)) && !unless_dead(array, purpose))
    ;
  return array;
}

struct mai_array *mai_lifetime_hold_in(uintptr_t begin, uintptr_t end, enum mai_purpose purpose) {
  struct mai_array *array;
  while ((array = mai_registry_hold_in(begin, end)) && !unless_dead(array, purpose))
    ;
  return array;
}

void mai_lifetime_end_array(struct mai_array *array) {
  int error = errno;
  mai_array_end_next_touch(array);
  mai_summary_remember(array);
  mai_budget_change(array->pieces, 0);
  if (array->pieces)
    mai_kernel_set_range(array->placement.start, placed_bytes(array), MAI_MODE_DEFAULT, NULL, 0);
  mai_array_delete(array);
  errno = error;
}

/* No longer known; NULL when there is none. */
static struct mai_array *take_in(uintptr_t begin, uintptr_t end) {
  struct mai_array *array = mai_registry_hold_in(begin, end);
  if (array)
    mai_registry_remove(array);
  return array;
}

void mai_lifetime_end(uintptr_t begin, uintptr_t end) {
  int error = errno;
  struct mai_array *array;
  while ((array = take_in(begin, end)))
    mai_lifetime_end_array(array);
  errno = error;
}

/* An array that another thread is at work with finds out by itself. */
static void bury_all_in(uintptr_t begin, uintptr_t end) {
  int error = errno;
  struct mai_array *array;
  while ((array = mai_registry_hold_idle_in(begin, end))) {
    mai_registry_remove(array);
    bury(array);
  }
  errno = error;
}

void mai_lifetime_listen(void) { mai_memory_listen(bury_all_in); }

void mai_lifetime_begin(struct mai_array *array) {
  struct mai_array *before;
  while (!mai_registry_add(array))
    if ((before = take_in(array->shape.start, mai_array_end(array))))
      bury(before);
}

static void take_policy_away(const struct mai_array *array, uintptr_t begin, uintptr_t end) {
  if (array->pieces && begin < end)
    mai_kernel_set_range(begin, end - begin, MAI_MODE_DEFAULT, NULL, 0);
}

void mai_lifetime_make_way(const struct mai_array *newcomer) {
  int error = errno;
  uintptr_t begin = newcomer->placement.start;
  uintptr_t end = begin + placed_bytes(newcomer);
  struct mai_array *array;
  while ((array = take_in(newcomer->shape.start, mai_array_end(newcomer)))) {
    uintptr_t first = array->placement.start;
    uintptr_t last = first + placed_bytes(array);
    take_policy_away(array, first, begin < last ? begin : last);
    take_policy_away(array, end > first ? end : first, last);
    forget(array);
  }
  errno = error;
}

void mai_lifetime_begin_in_place(struct mai_array *array) {
  while (!mai_registry_add(array))
    mai_lifetime_make_way(array);
}
