/*===-- caches.h - where lines come from: a cache for each node ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A model of the last-level caches of a machine: one for each node, which its threads share, kept
 * coherent by MESI, without prefetching.  For each access it says where the line comes from.
 *
 * Simplifications: caches of cores are parts of their node's, so what one core of a node gives
 * another one is local; a node with several last-level caches has one here, of one's size; accesses
 * take effect one after the other, in the order in which they arrive; of a set the line goes that
 * was used last longest ago; sets are chosen by the virtual address; that a line is invalidated in,
 * or written back from, another cache is no transfer; instructions are not fetched.
 *
 * It uses general registers only: see hooks.h.
 */
#ifndef MAI_TRACE_MODEL_CACHES_H
#define MAI_TRACE_MODEL_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_NODES_MAX = 64, MODEL_WAYS_MAX = 64 };

/** How a cache holds a line. */
enum model_state { MODEL_INVALID, MODEL_SHARED, MODEL_EXCLUSIVE, MODEL_MODIFIED };

/** Where a line comes from. */
enum model_source { MODEL_OWN_CACHE, MODEL_OTHER_CACHE, MODEL_MEMORY };

struct model_shape {
  unsigned nodes; /**< 1 to MODEL_NODES_MAX */
  unsigned ways;  /**< 1 to MODEL_WAYS_MAX */
  size_t sets;    /**< at least 1 */
};

struct model_caches {
  struct model_shape shape;
  uint64_t *ways; /**< by set, node and way, last used first: the line's number and its state */
};

/** The shape of caches of so many bytes. */
struct model_shape model_shape_of(unsigned nodes, size_t bytes, unsigned ways);

/** Bytes that caches need. */
size_t model_caches_bytes(const struct model_shape *shape);

/** Empty caches in memory of that size, which is all zero. */
void model_caches_init(struct model_caches *caches, const struct model_shape *shape, void *memory);

/** The set of an address: accesses to different sets may be made at the same time, those to one
 *  may not. */
size_t model_set_of(const struct model_caches *caches, uintptr_t address);

/** Let a thread of a node read or write an address. */
enum model_source model_caches_access(struct model_caches *caches, unsigned node, uintptr_t address,
                                      bool writes);

/** How a node holds the line of an address. */
enum model_state model_caches_state(const struct model_caches *caches, unsigned node,
                                    uintptr_t address);

#endif /* MAI_TRACE_MODEL_CACHES_H */
