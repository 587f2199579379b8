/*===-- executable.c - the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "executable.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "callers/function_name.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/start.h"
#include "mai/process/symbols.h"
#include "mai/process/settings.h"
#include "overrides.h"
#include "registry.h"
#include "runtime/heap.h"

enum { MOST_NAME = 256 };

/* Its run-time is a library of its own. */
static bool has_fortran(void) { return dlsym(RTLD_DEFAULT, "_gfortran_set_args") != NULL; }

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
static void watch(const char *symbol, uintptr_t start, size_t bytes) {
  char name[MOST_NAME];
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  struct mai_targets targets = {.page_size = page_size(), .part_size = page_size()};
  minas_variable_name(symbol, has_fortran(), name, sizeof name);
  struct mai_array *array = describe(name, start, bytes);
  if (!array)
    return;
  mai_placement_compute(&first_touch, &array->shape, &targets, &array->placement);
  if (!mai_registry_add(array)) /* two names for the same memory */
    mai_array_delete(array);
}

void mai_watch_executable(void) { mai_symbols_visit(page_size(), watch); }

/* What debug information calls the array that starts somewhere; NULL: nothing. */
static mai_static_name *called;

static const char *name_of(const char *symbol, uintptr_t start, char name[MOST_NAME]) {
  const char *known = called ? called(start) : NULL;
  if (known)
    return known;
  minas_variable_name(symbol, has_fortran(), name, MOST_NAME);
  return name;
}

/* EINVAL: the program has handed the array over itself. */
static void place(const char *symbol, uintptr_t start, size_t bytes) {
  char text[MOST_NAME];
  const char *name = name_of(symbol, start, text);
  const mai_policy_t *policy = mai_override_for_any((const char *const[]){name, symbol}, 2);
  if (policy && mai_array_adopt((void *)start, bytes, 1, policy, name) != 0 && errno != EINVAL)
    mai_message("static array '%s' is not placed: %s", name, strerrordesc_np(errno));
}

/* Those that are watched have been so since the library started. */
static void rename_watched(const char *symbol, uintptr_t start, size_t bytes) {
  (void)symbol, (void)bytes;
  const char *name = called(start);
  struct mai_array *array = name ? mai_registry_hold((const void *)start) : NULL;
  if (!array)
    return;
  struct mai_array renamed = *array;
  char *before = array->name;
  renamed.name = minas_copy_text(name);
  if (renamed.name) {
    mai_registry_update(array, &renamed);
    minas_free(before);
  }
  mai_registry_release(array);
}

void mai_place_named_arrays(mai_static_name *by_debug_information) {
  MAI_CALL;
  called = by_debug_information;
  if (mai_start() != 0)
    return;
  if (mai_overrides_exist())
    mai_symbols_visit(page_size(), place);
  else if (called && mai_settings()->watch)
    mai_symbols_visit(page_size(), rename_watched);
}
