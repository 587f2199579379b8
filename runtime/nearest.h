/*===-- nearest.h - the name that is meant by a misspelt one ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_NEAREST_H
#define MINAS_NEAREST_H

#include <limits.h>
#include <stddef.h>

/** Names are too different for one to stand for the other. */
#define MINAS_NAMES_DIFFER UINT_MAX

/** How many typing errors (a character too many, missing, another, or two exchanged) lie between
 *  two names; MINAS_NAMES_DIFFER where these are more than a third of the longer one, or one of
 * them has more than 64 characters. Upper and lower case are alike. */
unsigned minas_name_distance(const char *name, const char *other);

/** The known name that is nearest; the first of several, NULL where none is near. */
const char *minas_nearest_name(const char *name, const char *const *known, size_t count);

#endif /* MINAS_NEAREST_H */
