/*===-- misspelt.h - variables of MAi that nobody reads ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A typing error in the name or the value of a variable would go unnoticed: the program runs as if
 * it were not set.
 */
#ifndef MAI_MISSPELT_H
#define MAI_MISSPELT_H

#include <stdbool.h>

/** Look for variables MAI_* that have no meaning, and for flags that are neither 0 nor 1.
 *  @return whether one of them can only be meant for MAi, so that the user is to hear of it */
bool mai_misspelt_find(char *const *environment);

/** Say what was found. Called once, when the library starts. */
void mai_misspelt_tell(void);

#endif /* MAI_MISSPELT_H */
