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

#include <stddef.h>

#include "bump.h"

#define MINAS_WITHIN __attribute__((visibility("hidden")))

/** What comes next: all NULL before it is looked up, and `malloc` the last to be known. */
struct minas_next_allocator {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  size_t (*usable_size)(void *); /**< NULL: the allocator cannot be asked */
  void (*free)(void *);
};

extern MINAS_WITHIN struct minas_next_allocator minas_next;

/** Memory for dlsym(). */
extern MINAS_WITHIN struct minas_bump minas_early;

/** Where the library begins that a function is of; NULL for NULL. */
MINAS_WITHIN const void *minas_library_of(const void *function);

/** Look up what comes next.  Nothing is known yet where dlsym() is at work in this thread. */
void minas_next_find(void);

#endif /* MINAS_NEXT_ALLOCATOR_H */
