/*===-- next_allocator.h - the allocator behind an interposed one *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libraries that stand in front of malloc() and its kin and pass on to whichever allocator
 * comes next.  To look that up dlsym() may ask for memory itself, which comes from a small piece of
 * static memory that is never given back.
 */
#ifndef MINAS_NEXT_ALLOCATOR_H
#define MINAS_NEXT_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MINAS_WITHIN __attribute__((visibility("hidden")))

enum { MINAS_EARLY_BYTES = 4096 };

/** What comes next: all NULL before it is looked up, and `malloc` the last to be known. */
struct minas_next_allocator {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  size_t (*usable_size)(void *);
  void (*free)(void *);
};

extern MINAS_WITHIN struct minas_next_allocator minas_next;
extern MINAS_WITHIN char minas_early_bytes[MINAS_EARLY_BYTES];

/** Look up what comes next.  Nothing is known yet where dlsym() is at work in this thread. */
void minas_next_find(void);

/** Memory for dlsym(); NULL where there is no more. */
void *minas_early_alloc(size_t bytes);

static inline bool minas_is_early(const void *block) {
  return (uintptr_t)block - (uintptr_t)minas_early_bytes < MINAS_EARLY_BYTES;
}

/** Copy what an early block may hold. @param to of so many bytes; NULL: nothing is done
 *  @param early NULL: nothing is done
 *  @return to */
void *minas_early_copy(void *to, const void *early, size_t bytes);

#endif /* MINAS_NEXT_ALLOCATOR_H */
