/*===-- keys.h - which node a key belongs to ----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_KEYS_H
#define MAI_KEYS_H

#include <stdint.h>

#include "mai/memory/machine.h"

/** The share that a key has of so many: keys that follow each other are spread, too. */
unsigned mai_key_share(uint64_t key, unsigned shares);

/** Where a node stands among the machine's; their number where it is none of them. */
unsigned mai_rank_of_node(const struct mai_machine *machine, uint32_t node);

#endif /* MAI_KEYS_H */
