/*===-- array.h - what an array must hold -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The contents of an array follow from a number for each of its cells of 4 KiB, 0 meaning that
 * nobody has written there: so they can be checked after any call, in part or in whole.
 */
#ifndef RANDOM_ARRAY_H
#define RANDOM_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CELL = 4096, MOST_BYTES = 4 << 20, MOST_CELLS = MOST_BYTES / CELL + 1 };

/** How the program came to an array. */
enum array_kind {
  NO_ARRAY,
  ALLOCATED, /**< mai_alloc*() */
  MAPPED,    /**< mmap(), for mai_place() */
  BLOCK,     /**< malloc() and mai_place_block() */
  STATIC     /**< the program's own, handed over before main() */
};

struct array {
  enum array_kind kind;
  char *start;  /**< what MAi was told */
  size_t bytes; /**< of it */
  size_t size;  /**< of an element */
  unsigned dimensions;
  size_t extents[5];
  char *memory; /**< all that is checked: of MAPPED more than the array; else `start` */
  size_t memory_bytes;
  bool whole_pages; /**< those at its ends are its own */
  bool known;       /**< to MAi */
  bool may_copy;    /**< its policy is replicate */
  bool has_copies;
  size_t alignment; /**< asked for; 0: none */
  char name[24];
  uint32_t tags[MOST_CELLS];   /**< what a cell holds; 0: nothing was written */
  uint16_t filled[MOST_CELLS]; /**< bytes of the cell of which that holds; the others are 0 */
};

/** Bytes of a cell: fewer in the last. */
size_t cell_bytes(const struct array *array, size_t cell);
size_t count_cells(const struct array *array);

/** Write a cell, and note it. */
void write_cell(struct array *array, size_t cell, uint32_t tag);

/** Write a cell that is noted. Several threads may do so at once. */
void write_again(const struct array *array, size_t cell);

/** Whether a cell of `memory`, which is the array's or a copy of it, holds what was written. */
bool cell_is_right(const struct array *array, const char *memory, size_t cell);

/** The memory has another size now, and what is new is 0. */
void resize_contents(struct array *array, size_t bytes);

/** Nothing is written any more from byte `first` to `end`, both at the ends of cells or of the
 *  memory. */
void forget_contents(struct array *array, size_t first, size_t end);

#ifdef __cplusplus
}
#endif
#endif
