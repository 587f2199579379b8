/*===-- names.h - has a program's names read --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RUN_NAMES_H
#define RUN_NAMES_H

#include <limits.h>

#include "program.h"

/** The table by which blocks get the names that parallel regions have for them.  It is kept in the
 *  user's cache; mai-names makes it when it is not there yet, which may take seconds.
 *  @return NULL, or why there is none: "" for want of debug information, or where mai-names fails,
 *  which says what is wrong itself */
const char *names_table(const struct program *program, char path[PATH_MAX]);

#endif /* RUN_NAMES_H */
