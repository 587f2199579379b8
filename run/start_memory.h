/*===-- start_memory.h - what libraries allocate before main() ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * To read some machines MAi needs hwloc, which takes much from the heap and frees most of it.  A
 * program that reads memory before it writes some would find what was there.  So such blocks lie
 * apart, and are never used again.
 */
#ifndef RUN_START_MEMORY_H
#define RUN_START_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_START_BYTES = 1 << 24 };

/** Where they lie; before there is one: where no program has memory. */
extern atomic_uintptr_t run_start_memory;

/** A block of zeros; NULL when there is no more. */
void *run_start_alloc(size_t bytes);

static inline bool run_is_start_block(const void *block) {
  return (uintptr_t)block - atomic_load_explicit(&run_start_memory, memory_order_relaxed) <
         RUN_START_BYTES;
}

/** Copy what such a block may hold. @param to of so many bytes; NULL: nothing is done
 *  @return to */
void *run_start_copy(void *to, const void *block, size_t bytes);

#endif /* RUN_START_MEMORY_H */
