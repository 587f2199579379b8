/*===-- recorder.c - who samples the program is told of arrays ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "recorder.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "openmp/objects.h"
#include "runtime/environment.h"

/* The library's; of an array that ends there are no bytes. */
typedef void (*tell_t)(const void *start, size_t bytes, const char *name);

static bool find_in(const struct mai_object *object, void *context) {
  tell_t *found = context;
  *(void **)found = mai_object_function(object, "mai_record_tell");
  return *found != NULL;
}

/* NULL: nobody wants to know. */
static tell_t listener(void) {
  static _Atomic tell_t known;
  static atomic_bool looked;
  if (atomic_load_explicit(&looked, memory_order_acquire))
    return atomic_load_explicit(&known, memory_order_relaxed);
  tell_t found = NULL;
  if (minas_environment_find(environ, "MAI_RECORD_LOG"))
    mai_objects_visit(find_in, &found);
  atomic_store_explicit(&known, found, memory_order_relaxed);
  atomic_store_explicit(&looked, true, memory_order_release);
  return found;
}

void mai_recorder_note(const void *start, size_t bytes, const char *name) {
  tell_t tell = listener();
  if (tell)
    tell(start, bytes, name);
}

void mai_recorder_forget(const void *start) {
  tell_t tell = listener();
  if (tell)
    tell(start, 0, NULL);
}
