/*===-- executable.h - the static arrays of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_EXECUTABLE_H
#define MAI_EXECUTABLE_H

/** Make the arrays of at least a page with static storage that the executable's symbol table names
 *  known to the registry, to be reported on. */
void mai_watch_executable(void);

/** Place those of them that the program has not handed over and for which the user has set a
 * policy. Called by mai-run's library before main(). */
void mai_place_named_arrays(void);

#endif /* MAI_EXECUTABLE_H */
