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

/* Also while the library starts, when the machine cannot be asked for yet. */
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

static void watch_symbol(const char *symbol, uintptr_t start, size_t bytes) {
  char name[MOST_NAME];
  minas_variable_name(symbol, has_fortran(), name, sizeof name);
  watch(name, start, bytes);
}

void mai_watch_executable(void) { mai_symbols_visit(page_size(), watch_symbol); }

static const struct mai_static_names *known;

static const char *name_of(const char *symbol, uintptr_t start, char name[MOST_NAME]) {
  const char *by_debug_information = known->name(start);
  if (by_debug_information)
    return by_debug_information;
  minas_variable_name(symbol, has_fortran(), name, MOST_NAME);
  return name;
}

/*===-- Placing ------------------------------------------------------------===*/

static bool variable_is_placed;

/* EINVAL: the program has handed the array over itself. */
static void place_by(const mai_policy_t *policy, const char *name, uintptr_t start, size_t bytes) {
  variable_is_placed |= policy != NULL;
  if (policy && mai_array_adopt((void *)start, bytes, 1, policy, name) != 0 && errno != EINVAL)
    mai_message("static array '%s' is not placed: %s", name, strerrordesc_np(errno));
}

static void place_held(const char *name, uintptr_t start, size_t bytes) {
  place_by(mai_override_for_any(&name, 1), name, start, bytes);
}

static void place(const char *symbol, uintptr_t start, size_t bytes) {
  char text[MOST_NAME];
  const char *name = name_of(symbol, start, text);
  variable_is_placed = false;
  known->visit_held(start, bytes, place_held);
  if (!variable_is_placed)
    place_by(mai_override_for_any((const char *const[]){name, symbol}, 2), name, start, bytes);
}

/*===-- Those that are watched since the library started ---------------------===*/

/* The arrays that a variable holds are watched in its place. */
static void stop_watching(uintptr_t start, size_t bytes) {
  struct mai_array *whole = mai_registry_hold_in(start, start + bytes);
  if (!whole)
    return;
  if (whole->origin != MAI_WATCHED) {
    mai_registry_release(whole);
    return;
  }
  mai_registry_remove(whole);
  mai_array_delete(whole);
}

static void watch_held(const char *name, uintptr_t start, size_t bytes) {
  stop_watching(start, bytes);
  watch(name, start, bytes);
}

static void rename_watched(uintptr_t start, const char *name) {
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

static void name_watched(const char *symbol, uintptr_t start, size_t bytes) {
  (void)symbol;
  rename_watched(start, known->name(start));
  known->visit_held(start, bytes, watch_held);
}

void mai_place_named_arrays(const struct mai_static_names *by_debug_information) {
  MAI_CALL;
  known = by_debug_information;
  if (mai_start() != 0)
    return;
  if (mai_settings()->watch)
    mai_symbols_visit(page_size(), name_watched);
  if (mai_overrides_exist())
    mai_symbols_visit(page_size(), place);
}
