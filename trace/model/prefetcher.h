/*===-- prefetcher.h - what a prefetcher would have predicted -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A model of one thread's first cache and of what would fetch lines into it before they are asked
 * for.  It says how regular accesses are, and nothing about time.
 *
 * The cache has 32 KiB, 8 ways and lines of 64 bytes, of which the one used last longest ago goes.
 * What it misses trains two predictors, and is *predicted* if one of them named its line:
 *
 * - By instruction: the distance of its last misses, up to 2 KiB, which has come twice in a row; a
 *   next line is a distance of a line.  Distances are alike where they differ by less than a line.
 *   (256 instructions; T.-F. Chen and J.-L. Baer, 1995.)
 * - By page of 4 KiB: misses of any instructions that go in one direction, by two lines at most,
 *   from the third on.  (The 32 pages that missed last: streams.)
 *
 * So the first three misses of any sequence are never predicted.  It uses general registers only:
 * see hooks.h.
 */
#ifndef MAI_TRACE_MODEL_PREFETCHER_H
#define MAI_TRACE_MODEL_PREFETCHER_H

#include <stdint.h>

enum {
  MODEL_LINE_SHIFT = 6,
  MODEL_FIRST_SETS = 64,
  MODEL_FIRST_WAYS = 8,
  MODEL_INSTRUCTIONS = 256,
  MODEL_DISTANCE_MAX = 2048, /* bytes, in either direction */
  MODEL_STREAMS = 32,
  MODEL_STREAM_PAGE_SHIFT = 12,
  MODEL_STREAM_REACH = 2, /* lines */
  MODEL_CONFIRMED = 2     /* distances that are alike before one is predicted */
};

/** The misses of one instruction. */
struct model_distance {
  uintptr_t instruction; /**< 0: none */
  uintptr_t last;
  intptr_t distance;
  unsigned alike; /**< how often it has come in a row */
};

/** The misses of one page. */
struct model_stream {
  uintptr_t page; /**< its number plus 1; 0: none */
  uintptr_t line;
  intptr_t direction;
  unsigned alike;
};

/** One thread's; all zero at first. */
struct model_prefetcher {
  uintptr_t lines[MODEL_FIRST_SETS][MODEL_FIRST_WAYS]; /**< numbers plus 1, last used first */
  struct model_distance distances[MODEL_INSTRUCTIONS];
  struct model_stream streams[MODEL_STREAMS]; /**< last used first */
};

enum model_prediction { MODEL_HIT, MODEL_MISSED, MODEL_PREDICTED };

/** Let an instruction access an address.  Not thread-safe. */
enum model_prediction model_prefetcher_see(struct model_prefetcher *prefetcher, uintptr_t address,
                                           uintptr_t instruction);

#endif /* MAI_TRACE_MODEL_PREFETCHER_H */
