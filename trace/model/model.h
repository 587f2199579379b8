/*===-- model.h - what a model of the machine makes of accesses ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The models of prefetcher.h, one for each thread, and of caches.h, one for the process.
 *
 * Threads take the caches set by set.  One that cannot have a set goes on without after a while: a
 * handler of a signal may have interrupted the very thread that holds it.
 */
#ifndef MAI_TRACE_MODEL_MODEL_H
#define MAI_TRACE_MODEL_MODEL_H

#include <stdatomic.h>

#include "caches.h"
#include "prefetcher.h"

/** What is counted of accesses. */
enum model_count {
  MODEL_MISSES,       /**< of the thread's first cache */
  MODEL_PREDICTIONS,  /**< of these */
  MODEL_OTHER_CACHES, /**< lines that came from another node's cache */
  MODEL_MEMORIES,     /**< lines that came from memory */
  MODEL_COUNTS
};

/** One access. */
struct model_access {
  unsigned node; /**< of the thread */
  uintptr_t address;
  bool writes;
  uintptr_t instruction;
};

/** Begin with empty caches, in memory as model_caches_init() takes it. */
void model_start(const struct model_shape *shape, void *memory);

/** Let a thread access, and count what that is.  Threads may do so at once, each with a prefetcher
 *  and counts of its own. */
void model_see(struct model_prefetcher *prefetcher, const struct model_access *access,
               atomic_ullong counts[MODEL_COUNTS]);

/** Nobody holds a set: in a child of fork(). */
void model_in_child(void);

#endif /* MAI_TRACE_MODEL_MODEL_H */
