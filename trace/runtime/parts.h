/*===-- parts.h - counts of parts of lines -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Of lines that borders.h cuts: a context's table, in which only its own thread makes entries.
 */
#ifndef MAI_TRACE_PARTS_H
#define MAI_TRACE_PARTS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks.h"

struct trace_part {
  atomic_uintptr_t start; /**< its first byte; 0: no part */
  uint64_t count[2];      /**< by kind */
};

struct trace_parts {
  size_t room, used;
  struct trace_part part[];
};

/** The first byte of the part that an address lies in. */
MAI_TRACE_GENERAL_REGISTERS static inline uintptr_t trace_part_start(uintptr_t address,
                                                                     uint64_t cuts) {
  unsigned byte = address % 64;
  uint64_t before = (cuts | 1) & (~(uint64_t)0 >> (63 - byte));
  return address - byte + 63 - (unsigned)__builtin_clzll(before);
}

/** The part with that first byte; NULL where there is none. */
MAI_TRACE_GENERAL_REGISTERS struct trace_part *trace_part_find(struct trace_parts *_Atomic *parts,
                                                               uintptr_t start);

/** The same, and where there is none a new one; NULL without memory. */
struct trace_part *trace_part_make(struct trace_parts *_Atomic *parts, uintptr_t start);

#endif /* MAI_TRACE_PARTS_H */
