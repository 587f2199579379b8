/*===-- blocks.h - memory that the program allocated -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A block is known by the calls that allocated it, and by its number among those of the same calls
 * that are there at the time: rows of a matrix stay apart, and so does what threads allocate each
 * for itself.  When it is freed, what was counted
 * there moves to addresses that no program has, one range for all blocks of one size, place and
 * number: the memory may be used again for something else.  So does what was counted where a block
 * comes to be, in others that are too small to be known.
 */
#ifndef MAI_TRACE_BLOCKS_H
#define MAI_TRACE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.h"

enum trace_block_kind {
  TRACE_BLOCK_HEAP = 1,
  TRACE_BLOCK_MAI,
  TRACE_BLOCK_STACK,
  TRACE_BLOCK_MAPPING
};

enum { TRACE_NAME_MAX = 64 };

/** A block, or all freed blocks of one size, place and number. */
struct trace_block {
  uintptr_t start;
  size_t bytes;
  uintptr_t site; /**< the address after the call that allocated it */
  unsigned chain; /**< the number of its chain of calls; 0: not known */
  unsigned rank;  /**< which one it is among the blocks of that chain that are there */
  uint16_t owner; /**< the thread that allocated it: trace_who_code(); 0: not known */
  enum trace_block_kind kind;
  unsigned instances; /**< how many were freed; 0: a block that is there */
  char name[TRACE_NAME_MAX];
};

/** Know blocks from now on, if they are not smaller than this. */
void trace_blocks_start(size_t smallest);

/** Whether a static variable that starts there is no array, but describes one that Fortran's
 *  ALLOCATE has made. */
bool trace_is_descriptor(uintptr_t start);

/** Where this thread's stack is. @return whether that is known */
bool trace_own_stack(uintptr_t *low, uintptr_t *high);

/** Note a thread's stack. */
void trace_block_stack(struct trace_who who, uintptr_t low, uintptr_t top);

/** Call `visit` for every block and every group of freed ones. */
void trace_blocks_visit(void (*visit)(const struct trace_block *block, void *context),
                        void *context);

/** What this thread allocates now is the library's own (nests). */
void trace_blocks_hide(void);
void trace_blocks_show(void);

/** Begin anew in a child of fork(), which has the same blocks. */
void trace_blocks_in_child(void);

#endif /* MAI_TRACE_BLOCKS_H */
