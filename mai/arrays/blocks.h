/*===-- blocks.h - places what malloc() has returned ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_BLOCKS_H
#define MAI_BLOCKS_H

#include <stddef.h>

#include "mai/policy/policy.h"

#include "mai.h"

/** Place a block of the program's allocator, and know it by this name until it is freed.  For
 *  mai-run's library, which is asked for every allocation.  A block that cannot be placed is said.
 */
void mai_place_named_block(void *block, size_t bytes, const mai_policy_t *policy, const char *name);

#endif /* MAI_BLOCKS_H */
