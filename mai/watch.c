/*===-- watch.c - knows the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "watch.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "mai.h"
#include "message.h"
#include "overrides.h"
#include "registry.h"
#include "symbols.h"

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static struct mai_array *describe(const char *name, uintptr_t start, size_t bytes) {
  struct mai_array *array = mai_array_new(name, NULL);
  if (!array)
    return NULL;
  array->origin = MAI_WATCHED;
  array->shape =
      (struct mai_shape){.start = start, .bytes = bytes, .dimensions = 1, .strides = {1}};
  return array;
}

static void keep(struct mai_array *array) {
  if (mai_registry_add(array) != 0)
    mai_array_delete(array);
}

/* While the library starts: the machine cannot be asked for yet. */
static void watch(const char *name, uintptr_t start, size_t bytes) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  struct mai_terrain terrain = {.page_size = page_size(), .deal_size = page_size()};
  struct mai_array *array = describe(name, start, bytes);
  if (!array)
    return;
  mai_placement_compute(&first_touch, &array->shape, &terrain, &array->placement);
  keep(array);
}

void mai_watch_executable(void) { mai_symbols_visit(page_size(), watch); }

/* EINVAL: the program has handed the array over itself. */
static void place(const char *name, uintptr_t start, size_t bytes) {
  const mai_policy_t *policy = mai_override_for(name);
  if (policy && mai_place((void *)start, bytes, 1, policy, name) != 0 && errno != EINVAL)
    mai_message("static array '%s' is not placed: %s", name, strerror(errno));
}

void mai_place_named_arrays(void) {
  if (mai_init() == 0 && mai_overrides_exist())
    mai_symbols_visit(page_size(), place);
}
