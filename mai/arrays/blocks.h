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

/** A block is to be placed by mai_place_row() once it is filled.  Rows next to each other could not
 *  be moved apart from one huge page: there is to be none. */
void mai_expect_row(void *block, size_t bytes);

/** Blocks that nobody asked to be known, as the program had them. */
struct mai_small_blocks {
  size_t count;
  size_t below; /**< bytes: larger ones are known */
};

/** A block was allocated that is smaller than `below`, the least that the user wants to know of. */
void mai_leave_small_block(size_t below);

struct mai_small_blocks mai_small_blocks(void);

#endif /* MAI_BLOCKS_H */
