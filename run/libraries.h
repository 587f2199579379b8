/*===-- libraries.h - which libraries a program is going to load -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RUN_LIBRARIES_H
#define RUN_LIBRARIES_H

#include "program.h"

/** Call `use` with the file of each library that the program is linked with, as its dynamic linker
 *  finds them; nothing of the program runs for that. */
void libraries_visit(const struct program *program, void (*use)(const char *file, void *context),
                     void *context);

#endif /* RUN_LIBRARIES_H */
