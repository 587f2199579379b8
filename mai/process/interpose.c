/*===-- interpose.c - standing in front of others' functions -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "interpose.h"

#include <dlfcn.h>

#include "runtime/lock.h"

void *mai_interpose_next(void *_Atomic *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (!next) {
    MINAS_CALLS_OUT();
    next = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, next, memory_order_relaxed);
  }
  return next;
}

struct search {
  const char *name;
  struct mai_object found;
};

static bool is_own(const struct mai_object *object) {
  return mai_object_has(object, (const void *)&mai_interpose_passed_by);
}

/* Tools stand in front as well, and call what comes next. */
static bool defines(const struct mai_object *object, void *context) {
  struct search *search = context;
  struct mai_openmp openmp;
  if (!mai_object_function(object, search->name) ||
      !(is_own(object) || mai_openmp_in(object, &openmp)))
    return false;
  search->found = *object;
  return true;
}

/* Libraries that were loaded before this one may be visible to some of the program only. */
bool mai_interpose_passed_by(const char *name) {
  struct search search = {.name = name};
  struct mai_object object;
  if (!mai_objects_visit(defines, &search) || is_own(&search.found))
    return false;
  MINAS_CALLS_OUT();
  const void *found = dlsym(RTLD_DEFAULT, name);
  return found && mai_object_at(found, &object) && defines(&object, &search) && !is_own(&object);
}

static bool is_others_with(const struct mai_object *object, void *context) {
  const struct search *search = context;
  return !is_own(object) && mai_object_function(object, search->name);
}

bool mai_interpose_exists(const char *name) {
  return mai_objects_visit(is_others_with, &(struct search){.name = name});
}

bool mai_interpose_finds_openmp(void) {
  return mai_interpose_exists("GOMP_parallel") || mai_interpose_exists("__kmpc_fork_call");
}
