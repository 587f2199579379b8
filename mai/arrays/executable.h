/*===-- executable.h - the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_EXECUTABLE_H
#define MAI_EXECUTABLE_H

#include <stddef.h>
#include <stdint.h>

#include "mai/process/symbols.h"

/** Make the arrays of at least a page with static storage that the executable's symbol table names
 *  known to the registry, to be reported on. */
void mai_watch_executable(void);

/** What debug information says of static arrays. */
struct mai_static_names {
  /** What the one is called that starts somewhere, as far as its symbol does not say it: "kept (in
   *  sweep)".  NULL: nothing is known. */
  const char *(*name)(uintptr_t start);
  /** The arrays that one variable holds: members of a structure, those of a common block. */
  void (*visit_held)(uintptr_t start, size_t bytes, mai_symbol_visitor *visit);
};

/** Place those of them that the program has not handed over and for which the user has set a
 *  policy; of a variable that holds arrays those with policies of their own, and else all of it.
 *  Called by mai-run's library before main(). */
void mai_place_named_arrays(const struct mai_static_names *by_debug_information);

#endif /* MAI_EXECUTABLE_H */
