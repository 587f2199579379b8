/*===-- inference.h - which policy touches of pages speak for ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A pure function of a few hundred touches: who accessed a page when a sample was taken,
 * or wrote it first after it was watched.  Each
 * pattern says how likely they are, one of ten being anybody's; the likeliest is taken where it is
 * much likelier than all others together, and where it says who touches most of the pages.  Else
 * nothing is known.
 */
#ifndef MAI_INFERENCE_H
#define MAI_INFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The most threads of a team whose touches are understood. */
#define MAI_MOST_TOUCHING 256

/** Of fewer touches nothing is said. */
enum { MAI_LEAST_TOUCHES = 16 };

/** A page was accessed. */
struct mai_touch {
  size_t page;     /**< of the array, counted from 0 */
  unsigned thread; /**< of the team */
  uint32_t region; /**< the parallel region that was open */
};

/** What is known of an array and its team. */
struct mai_touched {
  const struct mai_touch *touches;
  size_t count;
  size_t pages;          /**< of the array */
  size_t row_pages;      /**< of a row, where rows are whole pages; 0: not known */
  unsigned threads;      /**< of the team */
  const uint32_t *nodes; /**< of each of them */
  size_t used;           /**< pages, the first ones, that are in use; 0: all */
};

static inline size_t mai_pages_in_use(const struct mai_touched *touched) {
  return touched->used ? touched->used : touched->pages;
}

enum mai_pattern_kind {
  MAI_PATTERN_UNKNOWN,
  MAI_PATTERN_BLOCK,        /**< each thread has one part, in order */
  MAI_PATTERN_REVERSED,     /**< the same, the last thread first */
  MAI_PATTERN_COLUMNS,      /**< the same in each row */
  MAI_PATTERN_BLOCK_CYCLIC, /**< `chunk` pages at a time, in turn */
  MAI_PATTERN_SHARES,       /**< as block, in unequal parts: `shares` */
  MAI_PATTERN_SLICES,       /**< a block in each of several pieces, of `shares` pages */
  MAI_PATTERN_ONE_NODE,     /**< threads of one node: `node` */
  MAI_PATTERN_EVERYONE,     /**< every thread touches every page */
  MAI_PATTERN_TOO_FEW       /**< touches, to say anything */
};

struct mai_pattern {
  enum mai_pattern_kind kind;
  double confidence; /**< how likely it is, of all patterns */
  double fit;        /**< the part of the touches that it explains */
  bool differs;      /**< it is that of the region that touches most: another has another one */
  bool clear;        /**< says who touches what, beyond doubt */
  bool open;         /**< too few: of unequal parts it was not seen yet where they end */
  bool ends_early;   /**< blocks of the pages in use: `shares` has all pages */
  size_t chunk;
  uint32_t node;
  unsigned slices;                         /**< how many there are */
  unsigned long shares[MAI_MOST_TOUCHING]; /**< pages of each thread, or slice */
};

/** Which pattern touches show. */
void mai_infer(const struct mai_touched *touched, struct mai_pattern *pattern);

/** Have blocks be those of the pages in use, the first ones, where there are more. */
void mai_pattern_end_early(struct mai_pattern *pattern, size_t pages, size_t used,
                           unsigned threads);

/** Where a thread's part of unequal ones begins: a page. */
size_t mai_part_begin(const unsigned long *shares, unsigned thread);

/** Whether its bounds are found by touches, so that they are other ones each time. */
static inline bool mai_pattern_is_measured(enum mai_pattern_kind kind) {
  return kind == MAI_PATTERN_SHARES || kind == MAI_PATTERN_SLICES;
}

/** A word for a pattern, as reports have it. */
const char *mai_pattern_name(const struct mai_pattern *pattern);

#endif /* MAI_INFERENCE_H */
