/*===-- walk.h - follows a region's variables to blocks ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Variables are followed as their types say, through members, elements, references and pointers,
 * nearer things first.  What is there need not be what the type says: pointers may not be set yet,
 * and memory may be gone.  So the kernel reads it (runtime/own_memory.h), and how much is looked at
 * has limits.
 */
#ifndef MINAS_NAMES_WALK_H
#define MINAS_NAMES_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

/** A pointer was found that the program calls so. */
struct minas_names_sight {
  uintptr_t pointer;
  const char *name;
  enum minas_names_rank rank;
  const struct minas_names *names;
  const struct minas_names_place *place; /**< the walk's own */
};

typedef void minas_names_see(const struct minas_names_sight *sight, void *context);

/** What `minas_names_other_forms()` writes is never longer, with the null byte. */
#define MINAS_NAMES_FORMS 1024

/**
 * Other forms of the name, a line each: from each class on that it goes through, the innermost
 * first, and without the only member of the class that it ends in: "Field::density",
 * "Field::density.data", "Chunk::field.density" and so on of "chunk.field.density.data".
 * @param text of MINAS_NAMES_FORMS bytes
 */
void minas_names_other_forms(const struct minas_names_sight *sight, char *text);

/**
 * Follow the variables of a region, and all static ones.
 *
 * @param region NULL: only the static ones
 * @param base what the region's function gets: see struct minas_names_variable
 * @param bias what is to be added to addresses in the table
 * @return 0, or -1 with errno: ENOMEM, or the program's memory cannot be read
 */
int minas_names_walk(const struct minas_names *names, const struct minas_names_region *region,
                     uintptr_t base, uintptr_t bias, minas_names_see *see, void *context);

#endif /* MINAS_NAMES_WALK_H */
