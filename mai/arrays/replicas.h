/*===-- replicas.h - the copies of an array, and their end -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_REPLICAS_H
#define MAI_REPLICAS_H

#include <stddef.h>

#include "registry.h"

/** The copies of one array, without the array itself, which serves one node. */
struct mai_replicas {
  uint32_t node; /* of the array itself */
  size_t count;
  struct copy {
    uint32_t node;
    struct mai_array *array;
  } copies[];
};

/** How many copies there are; 0 for NULL. */
size_t mai_replicas_count(const struct mai_replicas *replicas);

/** Where the pages of copy `index` belong. */
const struct mai_placement *mai_replicas_placement(const struct mai_replicas *replicas,
                                                   size_t index);

/** Free the copies. NULL is allowed. */
void mai_replicas_free(struct mai_replicas *replicas);

/** Free an allocated array that is in no registry, with its memory and its copies. NULL is allowed.
 *  Keeps errno. */
void mai_array_discard(struct mai_array *array);

#endif /* MAI_REPLICAS_H */
