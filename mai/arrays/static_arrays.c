/*===-- static_arrays.c - takes over arrays with static storage *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An array of a program's .bss is usually untouched when its constructor hands it over: then its
 * policy is set and that is all.  Where there are contents (.data, or an earlier constructor has
 * written), placed copies take the place of the array's whole pages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "follow.h"
#include "lifetime.h"
#include "mai.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "overrides.h"
#include "policy.h"
#include "runtime/heap.h"

_Static_assert(sizeof(struct mai_static_array) % 64 == 0, "variables keep their places in lines");

static void leave_alone(struct mai_array *array, const mai_policy_t *asked, int error) {
  mai_array_leave_alone(array, asked, error);
  mai_message("%s:%u: array '%s' is not placed: %s", array->file, array->line, array->name,
              strerrordesc_np(error));
}

static struct mai_shape shape_of(const struct mai_static_array *entry) {
  struct mai_shape shape = {.start = (uintptr_t)entry->start, .bytes = entry->bytes};
  while (shape.dimensions < MAI_MOST_DIMENSIONS && entry->strides[shape.dimensions]) {
    shape.strides[shape.dimensions] = entry->strides[shape.dimensions];
    shape.dimensions++;
  }
  return shape;
}

static struct mai_array *describe(const struct mai_static_array *entry) {
  const struct mai_machine *machine = mai_machine();
  struct mai_array *array = mai_array_new(entry->name, NULL);
  if (!array)
    return NULL;
  array->file = minas_copy_text(entry->file); /* the plugin that has it may be unloaded */
  array->line = entry->line;
  array->origin = MAI_IN_PLACE;
  array->shape = shape_of(entry);
  array->pages = (struct mai_page_sizes){machine->page_size, machine->huge_page_size};
  return array;
}

/* One that is dead was a plugin's that has been unloaded, and whose place another one has now. */
static bool is_known(const struct mai_static_array *entry) {
  struct mai_array *array = mai_lifetime_hold((const void *)entry->start, MAI_TO_CHANGE);
  if (!array)
    return false;
  bool known = array->origin == MAI_IN_PLACE;
  mai_registry_release(array);
  return known;
}

/* The policy of an entry; first touch where it has none that can be read.
   @return 0, or -1 with errno */
static int read_policy(const struct mai_static_array *entry, mai_policy_t *policy) {
  *policy = (mai_policy_t)MAI_FIRST_TOUCH;
  if (mai_machine()->watch_only)
    return 0;
  return mai_policy_take_entry(entry->policy, entry->first, entry->count, entry->file, entry->line,
                               policy);
}

static void place_by(const struct mai_static_array *entry, const mai_policy_t *policy, int error) {
  struct mai_array *array = describe(entry);
  struct mai_moves moves = {0};
  if (!array)
    return;
  if (error)
    leave_alone(array, policy, error);
  else if (mai_array_choose(array, policy) != 0 || mai_array_take_over(array, &moves) != 0)
    leave_alone(array, policy, errno);
  bool is_as_asked = !array->error && !mai_override_for(array->name);
  mai_lifetime_begin(array);
  if (entry->in_use && is_as_asked)
    mai_follow_number(entry);
}

static void place_in_place(const struct mai_static_array *entry) {
  mai_policy_t policy;
  int error = read_policy(entry, &policy) == 0 ? 0 : errno;
  place_by(entry, &policy, error);
  mai_policy_release(&policy);
}

/* Memory placed as `entry` says, else any memory; NULL when there is none. */
static void *allocate_heap_array(const struct mai_static_array *entry) {
  mai_policy_t policy;
  struct mai_array_request request = {
      .shape = shape_of(entry), .policy = &policy, .name = entry->name};
  bool known = mai_machine() && read_policy(entry, &policy) == 0;
  struct mai_array *array = known ? mai_array_allocate(&request) : NULL;
  if (known)
    mai_policy_release(&policy);
  if (!array)
    return calloc(1, entry->bytes);
  void *start = (void *)array->shape.start;
  array->file = minas_copy_text(entry->file);
  array->line = entry->line;
  mai_lifetime_begin(array);
  return start;
}

static void set_heap_pointer(const struct mai_static_array *entry) {
  void **pointer = (void **)(uintptr_t)entry->start;
  if (*pointer)
    return;
  *pointer = allocate_heap_array(entry);
  if (*pointer)
    return;
  /* The program was written for this memory and cannot run without it. */
  fprintf(stderr, "mai: %s:%u: no memory for array '%s' of %lu bytes\n", entry->file, entry->line,
          entry->name, entry->bytes);
  abort();
}

void mai_place_static(const struct mai_static_array *begin, const struct mai_static_array *end) {
  MAI_CALL;
  int error = errno; /* programs begin with none */
  bool started = mai_machine() != NULL;
  for (const struct mai_static_array *entry = begin; entry < end; entry++) {
    if (entry->heap)
      set_heap_pointer(entry);
    else if (started && !is_known(entry))
      place_in_place(entry);
  }
  errno = error;
}
