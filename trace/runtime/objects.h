/*===-- objects.h - the program and its libraries, and their symbols *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_OBJECTS_H
#define MAI_TRACE_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/symbols.h"

/** A loaded ELF file. */
struct trace_object {
  const char *path;
  struct minas_image image; /**< no bytes when it cannot be read */
  uintptr_t start, end;
};

/** Smaller variables are no arrays. */
enum { TRACE_SYMBOL_BYTES_MIN = 64 };

/** Visit every loaded object, the program first, each with its file in memory. */
void trace_objects_visit(void (*visit)(const struct trace_object *object, void *context),
                         void *context);

/** What the program cannot write: its code and constants, in whole pages. */
struct trace_constants {
  uintptr_t start, end;
};

/** Find the constants of all objects. @return how many; at most `room` */
size_t trace_constants_find(struct trace_constants *list, size_t room);

/** Visit the symbols of an object: the linker's table, or else that of the dynamic linker. */
void trace_symbols_visit(const struct trace_object *object, minas_symbol_visitor *visit,
                         void *context);

/** The object and the function of an address of code; `path` "" where there is none. */
struct trace_place {
  char path[1024];
  char function[256]; /**< "" where it is not known */
  uintptr_t offset;   /**< in the object, as its symbols count */
};
void trace_place_of(uintptr_t code, struct trace_place *place);

/** The same without the function, for many. */
void trace_object_of(uintptr_t code, struct trace_place *place);

#endif /* MAI_TRACE_OBJECTS_H */
