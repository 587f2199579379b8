/*===-- objects.h - what the dynamic linker has loaded -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * dlsym(), dladdr() and dlopen() wait for a lock that another thread holds while the constructors
 * of a library run, and one of these may wait for the calling thread.  So tables of loaded objects
 * are read here without it.
 */
#ifndef MAI_OBJECTS_H
#define MAI_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/** The executable, or a shared library. */
struct mai_object {
  uintptr_t start; /**< where it is mapped */
  uintptr_t end;
  uintptr_t bias;            /**< address of a symbol = bias + its value */
  const ElfW(Dyn) * dynamic; /**< its dynamic section; NULL: a static executable */
  const char *path;          /**< empty for the executable; lives as long as the object */
};

/** Find the object in which an address lies. @return false when there is none */
bool mai_object_at(const void *address, struct mai_object *object);

/** Whether an address lies in the object. */
static inline bool mai_object_has(const struct mai_object *object, const void *address) {
  return (uintptr_t)address >= object->start && (uintptr_t)address < object->end;
}

/** The function of this name that the object itself exports; NULL when there is none. */
void *mai_object_function(const struct mai_object *object, const char *name);

/** The name by which others that were linked with the object need it; NULL: it has none. */
const char *mai_object_name(const struct mai_object *object);

/** Whether the object was linked with a library of this name. */
bool mai_object_needs(const struct mai_object *object, const char *library);

/** Called for something that an object takes from another: its name, and what the dynamic linker
 * has put where the object finds the address. @return whether it was the last to see */
typedef bool mai_import_visitor(const char *name, const void *address, void *context);

/** Visit the functions and variables that the object takes from others. @return whether the visitor
 *  has said that one was the last */
bool mai_object_imports(const struct mai_object *object, mai_import_visitor *visit, void *context);

/** @return whether it was the last to see */
typedef bool mai_object_visitor(const struct mai_object *object, void *context);

/** Visit all objects in the order in which they were loaded, the executable first.
 *  @return whether the visitor has said that one was the last */
bool mai_objects_visit(mai_object_visitor *visit, void *context);

#endif /* MAI_OBJECTS_H */
