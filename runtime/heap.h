/*===-- heap.h - memory of our own, apart from the program's ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A library that stands in front of malloc() must not call it: the call would come back to the
 * library, or wait for a lock of the allocator that the calling thread holds.  All memory here
 * comes from mmap() and stays ours.
 *
 * Every function may be called from any thread, and in a child of fork().
 */
#ifndef MINAS_HEAP_H
#define MINAS_HEAP_H

#include <stddef.h>

/** New zeroed memory, aligned for every type; NULL with errno ENOMEM. */
void *minas_alloc(size_t bytes) __attribute__((malloc, warn_unused_result));

/** The same for `count` elements of `size` bytes. */
void *minas_alloc_list(size_t count, size_t size) __attribute__((malloc, warn_unused_result));

/** Change the size of a block, which may move; what is new is zero.  NULL with errno ENOMEM, and
 *  then the block is as it was.  A block of NULL is a new one. */
void *minas_resize(void *block, size_t bytes) __attribute__((warn_unused_result));

/** Free a block. NULL is allowed. Keeps errno. */
void minas_free(void *block);

/** A copy of bytes; NULL with errno ENOMEM. */
void *minas_copy(const void *bytes, size_t count) __attribute__((malloc, warn_unused_result));

/** A copy of a text; NULL with errno ENOMEM. */
char *minas_copy_text(const char *text) __attribute__((malloc, warn_unused_result));

/** A copy of the first `length` characters of a text. */
char *minas_copy_part(const char *text, size_t length) __attribute__((malloc, warn_unused_result));

#endif /* MINAS_HEAP_H */
