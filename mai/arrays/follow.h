/*===-- follow.h - arrays follow the program's team, and its numbers *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_FOLLOW_H
#define MAI_FOLLOW_H

struct mai_static_array;

/** The team's size or its threads' CPUs have changed: place anew what is divided by them. */
void mai_follow_team(void);

/** From now on place the entry's array anew when a region is opened and entry->in_use says that
 *  another part of it is used.  An array of a shared library stays as it is. */
void mai_follow_number(const struct mai_static_array *entry);

#endif /* MAI_FOLLOW_H */
