/*===-- blocks.h - places what malloc() has returned ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_BLOCKS_H
#define MAI_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "mai/policy/policy.h"

#include "mai.h"
#include "sites.h"

/** Place a block of the program's allocator by this policy, whatever the user sets for its name,
 * and know it by its site until it is freed.  For mai-run's library, which is asked for every
 *  allocation.  A block that cannot be placed is said.
 *  @return whether the block is as good as any other of its site and size once it is free: it is
 *    known until its end is heard of, and nothing but its pages' places has come of its policy */
bool mai_place_block_of(struct mai_site *site, void *block, size_t bytes,
                        const mai_policy_t *policy);

#endif /* MAI_BLOCKS_H */
