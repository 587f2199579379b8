/*===-- mai_types.h - what mai.h and mai_static.h share -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * How static arrays and blocks are described to MAi.  Not to be included by itself.  Includes no
 * other header, see mai_static.h.
 */
#ifndef MAI_TYPES_H
#define MAI_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/** The most dimensions that an array may have. */
#define MAI_MOST_DIMENSIONS 5

/** One array with static storage, as MAI_STATIC and MAI_HEAP describe it to MAi.
 *  The entries of all objects of a program form one array between its variables.  Each has 128
 *  bytes: so variables behind them lie in lines of the cache as they would without. */
struct mai_static_array {
  const char *name;           /**< as in the source */
  const char *file;           /**< source file of the declaration */
  const volatile void *start; /**< in place: the array.  Heap: the pointer to be set */
  unsigned long bytes;        /**< of the whole array */
  unsigned long
      strides[MAI_MOST_DIMENSIONS]; /**< bytes from one index to the next of each dimension,
                                         the slowest first; 0 after the last that is told */
  unsigned line;                    /**< line of the declaration */
  unsigned heap;                    /**< 1: `start` is a pointer that is to point to new memory */
  const char *policy;               /**< see minas(7) */
  unsigned long first;         /**< where one of these two is not 0: the range of the policy, */
  unsigned long count;         /**< which begins with `first`; 0: to the end */
  const volatile void *in_use; /**< a number of the program's, an integer of 4 or 8 bytes: loops go
                                    over `units` units for each that it counts; NULL: none */
  unsigned long in_use_bytes;  /**< its size */
  unsigned long units;
};

/**
 * Place the static arrays [begin, end).  Called by the constructor of mai_static.h; calls after the
 * first do nothing for arrays that are already placed.
 *
 * An array that cannot be placed is left as it is and reported so.  Only a MAI_HEAP array for
 * which there is no memory stops the program (message, abort): it could not run.
 */
void mai_place_static(const struct mai_static_array *begin, const struct mai_static_array *end);

/** Blocks of fewer bytes than this are left where the kernel puts them: the caches hold them. */
#define MAI_LEAST_BLOCK 65536UL

/** But so many that a program allocates of these sizes are placed: the first ones, which mostly are
 * those that it has all the time.  To place one takes as long as to read it from another node some
 * times. */
#define MAI_LEAST_SMALL_BLOCK 8192UL
#define MAI_MOST_SMALL_BLOCKS 128

/** The same for the row pointers of a sparse matrix, by which larger arrays are divided. */
#define MAI_LEAST_ROW_POINTERS 4096UL

/** The same for blocks that have pages of their own: MAI_OWN_PAGES() asks for so many bytes more of
 * blocks below MAI_LEAST_BLOCK that none has a page in common with another. */
#define MAI_LEAST_OF_OWN_PAGES 1UL
#define MAI_APART_BYTES 4096UL

/** What all threads share is not distributed below this: each core's cache holds it, so no memory
 * is asked for it by all of them at once. */
#define MAI_LEAST_SHARED (1UL << 20)

#if defined __has_attribute
#if __has_attribute(__noescape__)
#define MAI_NOT_KEPT __attribute__((__noescape__))
#endif
#endif
#ifndef MAI_NOT_KEPT
#define MAI_NOT_KEPT
#endif

/** How a block that the program allocates itself is to be placed, as MAI_PLACED and its like
 *  describe it to MAi. */
struct mai_block {
  const char *name;                           /**< what reports call it; copied */
  const char *file;                           /**< where it is allocated; a constant */
  unsigned long strides[MAI_MOST_DIMENSIONS]; /**< as in mai_static_array; one of 0 or larger than
                                                 the block counts as the end of the list */
  unsigned line;
  unsigned least;      /**< bytes of the smallest block that is placed; 0: MAI_LEAST_BLOCK, or
                          MAI_LEAST_SMALL_BLOCK of the first MAI_MOST_SMALL_BLOCKS blocks */
  const char *policy;  /**< see minas(7) */
  unsigned long first; /**< as in mai_static_array */
  unsigned long count;
};

/**
 * Place a block right after malloc() or one of its like, or a function on top of them, has returned
 * it: the pages that lie wholly inside, and of a block below 1 MiB those at its ends whose middle
 * is inside, which it shares with its neighbours: nothing is done to them but to move them.  The
 * block stays the program's, contents and all.  free() and realloc() of it make MAi forget it, so
 * that nothing is known of memory that is somebody else's meanwhile.  (Only where the program's
 * calls of free() reach another library first, such as AddressSanitizer's, are blocks placed and at
 * once forgotten.)
 *
 * What cannot be placed is left as it is and reported so.  A range outside the block counts as all
 * of it, and a policy by columns of rows too short for whole pages as cyclic on threads.
 * Blocks smaller than MAI_LEAST_BLOCK, but for the first ones of MAI_LEAST_SMALL_BLOCK bytes or
 * more, or than how->least, are left alone.  Any thread may call this at any time; errno is kept.
 *
 * @param block NULL: nothing happens
 * @param bytes of the block
 */
void mai_place_block(void *block MAI_NOT_KEPT, unsigned long bytes, const struct mai_block *how);

/**
 * Place one of `rows` blocks of about this size, which together are a matrix: row `row` goes to the
 * node on which the policy, counting rows, wants it.  A row may consist of several blocks with its
 * number.  A page belongs to the row that holds the byte in its middle, so that blocks shorter than
 * pages are placed, too; only a matrix of less than MAI_LEAST_BLOCK is left alone, and of one whose
 * rows consist of short blocks the first MAI_LEAST_BLOCK bytes.  Where pages with others' data
 * move, their contents stay.  Rows are not listed in reports.  Otherwise as mai_place_block().
 */
void mai_place_row(void *block MAI_NOT_KEPT, unsigned long bytes, unsigned long row,
                   unsigned long rows, const struct mai_block *how);

/**
 * Place a block that is a row of a matrix, as mai_place_row(), where it is not known which: the
 * blocks that are given with the same file, line, name and policy before a parallel region is
 * opened are its rows, in the order in which they come, and are placed then, with what they hold.
 * A block that is the only one is placed as by mai_place_block() with these strides; where the
 * first of them is 0, not at all. A block that is freed before is forgotten.
 *
 * @param how the texts that it points to, the policy too, are constants
 */
void mai_place_next_row(void *block MAI_NOT_KEPT, unsigned long bytes, const struct mai_block *how);

/**
 * `block` itself, in the eyes of compilers a new block with the old one's contents, as after
 * realloc(): clang knows that blocks of malloc() do not overlap, even behind static pointers, only
 * as long as no other function is given their addresses, and mai_place_block() is.  It is not
 * declared to leave memory alone: else stores in front of the call might change places with loads
 * behind it.
 *
 * @param block that nothing else of the program points into, and that holds no pointers; or NULL.
 *              The program uses the result only
 */
void *mai_new_block(void *block) __attribute__((__leaf__, __malloc__, __nothrow__));

/**
 * From here to mai_end_call(), which gets a pointer to what this returns, the thread is in a call
 * of this name, a text that stays.  Such calls are inside one another.
 */
unsigned mai_begin_call(const char *name);
void mai_end_call(const unsigned *outer);

/** Whether the thread is in a call of this name. */
int mai_called_from(const char *name);

#ifdef __cplusplus
}
#endif
#endif /* MAI_TYPES_H */
