/*===-- executable.h - the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_EXECUTABLE_H
#define MAI_EXECUTABLE_H

#include <stdint.h>

/** Make the arrays of at least a page with static storage that the executable's symbol table names
 *  known to the registry, to be reported on. */
void mai_watch_executable(void);

/** What an array is called whose symbol does not say it; NULL: the symbol does. */
typedef const char *mai_static_name(uintptr_t start);

/** Place those of them that the program has not handed over and for which the user has set a
 *  policy.  Called by mai-run's library before main().
 *  @param by_debug_information what comes before names by symbols; may be NULL */
void mai_place_named_arrays(mai_static_name *by_debug_information);

#endif /* MAI_EXECUTABLE_H */
