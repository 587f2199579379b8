/*===-- bump.c - memory that is given out and never taken back ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "bump.h"

#include <string.h>

/* Never 0: each block has an address of its own. */
static size_t rounded(size_t bytes) {
  size_t unit = sizeof(max_align_t);
  return (bytes / unit + (bytes % unit || !bytes)) * unit;
}

void *minas_bump_alloc(struct minas_bump *memory, size_t bytes) {
  char *start = atomic_load(&memory->start);
  if (bytes > memory->bytes || start == MINAS_BUMP_NOWHERE)
    return NULL;
  size_t needed = rounded(bytes);
  size_t offset = atomic_fetch_add(&memory->used, needed);
  return offset <= memory->bytes && needed <= memory->bytes - offset ? start + offset : NULL;
}

void *minas_bump_copy(const struct minas_bump *memory, void *to, const void *block, size_t bytes) {
  if (to && block) {
    size_t most = (size_t)(atomic_load(&memory->start) + memory->bytes - (const char *)block);
    memcpy(to, block, bytes < most ? bytes : most);
  }
  return to;
}
