/*===-- environment.h - a variable of a given environment -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For the environment that a process was started with, which getenv() does not tell any more when
 * the program has changed its own.
 */
#ifndef MINAS_ENVIRONMENT_H
#define MINAS_ENVIRONMENT_H

#include <stddef.h>
#include <string.h>

/** @param environment ends with NULL; NULL: there is none
 *  @return the value, "" where it is empty; NULL: there is no such variable */
static inline const char *minas_environment_find(char *const *environment, const char *name) {
  size_t length = strlen(name);
  for (; environment && *environment; environment++)
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
      return *environment + length + 1;
  return NULL;
}

#endif /* MINAS_ENVIRONMENT_H */
