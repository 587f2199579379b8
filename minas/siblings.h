/*===-- siblings.h - the programs that lie beside this one --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_SIBLINGS_H
#define MINAS_SIBLINGS_H

#include <stdbool.h>
#include <stddef.h>

/** The path of a program in the folder that this program lies in, behind all links.
 *  @return whether it is there */
bool sibling_path(const char *program, char *path, size_t size);

/** Have the programs beside this one found before others. */
void siblings_prefer(void);

#endif /* MINAS_SIBLINGS_H */
