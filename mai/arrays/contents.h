/*===-- contents.h - how far arrays are filled ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Some policies place an array by what is in it: until that is there, the array waits.
 */
#ifndef MAI_CONTENTS_H
#define MAI_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "registry.h"

/** Whether it is not known yet how to divide an array; never where there is nothing to place. */
bool mai_contents_awaited(const struct mai_array *array);

/** How many bytes from its start on hold everything that is in an array; all of them where nothing
 *  can be told. Pages that nobody has touched, or that cannot be read, hold nothing. */
size_t mai_contents_bytes(const struct mai_array *array);

/** Whether the first byte of an array and the one at an offset are on pages that somebody has
 *  touched. */
bool mai_contents_are_touched(const struct mai_array *array, size_t offset);

/** Give back the pages of an array that hold nothing but zeros, as if nobody had touched them; no
 *  other thread may write to it meanwhile.
 *  @return whether any page of it was in memory */
bool mai_contents_give_back(const struct mai_array *array);

/** One more array waits. */
void mai_contents_await(void);

/** How many arrays wait; freed ones may be counted still. Takes a glance at a number. */
unsigned mai_contents_waiting(void);

/** So many of them wait no longer. @return whether others do */
bool mai_contents_came(unsigned arrays);

#endif /* MAI_CONTENTS_H */
