/*===-- objects.h - the tables of what is loaded ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-run has tables of the program and its libraries made (names/layout/layout.h); what maic++ and
 * maifort have linked carries its own.
 */
#ifndef MAI_NAMES_OBJECTS_H
#define MAI_NAMES_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#include "names/walk/table.h"

/** The executable, or a library of the program's. */
struct mai_names_object {
  struct minas_names names;
  uintptr_t bias;
};

enum { MAI_NAMES_MOST_OBJECTS = 32 };

/** Constant once they are opened. */
extern struct mai_names_object mai_names_objects[MAI_NAMES_MOST_OBJECTS];
extern size_t mai_names_object_count;

/** Open the tables that are for what is loaded.  Called once.
 *  @param paths a line each; NULL: none */
void mai_names_objects_open(const char *paths);

/** Open the tables that the executable and its libraries carry, where there is no other yet.
 *  Called once, behind the former. */
void mai_names_objects_open_carried(void);

#endif /* MAI_NAMES_OBJECTS_H */
