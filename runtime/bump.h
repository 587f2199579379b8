/*===-- bump.h - memory that is given out and never taken back ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A bump allocator, for what must not lie in the program's heap, or cannot yet.
 */
#ifndef MINAS_BUMP_H
#define MINAS_BUMP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct minas_bump {
  char *_Atomic start; /**< zeros; MINAS_BUMP_NOWHERE: there is no memory yet */
  size_t bytes;        /**< a constant of at most MINAS_BUMP_MOST */
  atomic_size_t used;
};

#define MINAS_BUMP_MOST ((size_t)1 << 24)

/** Where no program has memory, nor a null pointer points to. */
#define MINAS_BUMP_NOWHERE ((char *)-MINAS_BUMP_MOST)

/** A block of zeros; NULL when there is no more. */
void *minas_bump_alloc(struct minas_bump *memory, size_t bytes);

static inline bool minas_bump_has(const struct minas_bump *memory, const void *block) {
  uintptr_t start = (uintptr_t)atomic_load_explicit(&memory->start, memory_order_relaxed);
  return (uintptr_t)block - start < memory->bytes;
}

/** Copy what such a block may hold. @param to of so many bytes; NULL: nothing is done
 *  @param block NULL: nothing is done
 *  @return to */
void *minas_bump_copy(const struct minas_bump *memory, void *to, const void *block, size_t bytes);

#endif /* MINAS_BUMP_H */
