/*===-- watch.h - finds the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_WATCH_H
#define MAI_WATCH_H

#include <stddef.h>

/** Make the arrays of at least a page with static storage that the executable's symbol table names
 *  known to the registry, to be reported on. An executable without symbols has none. */
void mai_watch_executable(size_t page_size);

#endif /* MAI_WATCH_H */
