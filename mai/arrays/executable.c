/*===-- executable.c - the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "executable.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/start.h"
#include "mai/process/symbols.h"
#include "overrides.h"
#include "registry.h"

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

/* While the library starts: the machine cannot be asked for yet. */
static void watch(const char *name, uintptr_t start, size_t bytes) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  struct mai_targets targets = {.page_size = page_size(), .part_size = page_size()};
  struct mai_array *array = describe(name, start, bytes);
  if (!array)
    return;
  mai_placement_compute(&first_touch, &array->shape, &targets, &array->placement);
  if (!mai_registry_add(array)) /* two names for the same memory */
    mai_array_delete(array);
}

void mai_watch_executable(void) { mai_symbols_visit(page_size(), watch); }

/* EINVAL: the program has handed the array over itself. */
static void place(const char *name, uintptr_t start, size_t bytes) {
  const mai_policy_t *policy = mai_override_for(name);
  if (policy && mai_array_adopt((void *)start, bytes, 1, policy, name) != 0 && errno != EINVAL)
    mai_message("static array '%s' is not placed: %s", name, strerrordesc_np(errno));
}

void mai_place_named_arrays(void) {
  MAI_CALL;
  if (mai_start() == 0 && mai_overrides_exist())
    mai_symbols_visit(page_size(), place);
}
