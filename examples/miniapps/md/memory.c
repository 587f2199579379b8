/*===-- memory.c - allocation that does not fail -------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "md.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t left;

/* Zeroed memory; ends the program where there is none. */
void *allocate(size_t count, size_t bytes, const char *what) {
  void *memory = count > SIZE_MAX / bytes ? NULL : calloc(count, bytes);
  if (!memory) {
    fprintf(stderr, "md: no memory for %zu x %zu bytes of %s\n", count, bytes, what);
    exit(EXIT_FAILURE);
  }
  left++;
  return memory;
}

void release(void *memory) {
  if (memory)
    left--;
  free(memory);
}

/* How many blocks were allocated and not released. */
size_t allocations_left(void) { return left; }
