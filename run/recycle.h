/*===-- recycle.h - placed blocks that are freed and wanted again *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs allocate the same temporaries in each step.  A placed block that is freed is kept, with
 * its pages where they belong, for the next block of its site and size: a step then costs no page
 * fault and no system call.
 *
 * Every function may be called from any thread, waits for none, and calls nothing but allocators
 * behind us.
 */
#ifndef RUN_RECYCLE_H
#define RUN_RECYCLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sites.h"

/** An allocator behind us, as far as blocks that are kept concern it.  It is there for good: who it
 *  is is told by its address. */
struct run_allocator {
  void (*free)(void *);
  size_t (*usable_size)(void *); /**< NULL: it cannot be asked, and nothing is kept */
};

/** Begin to keep blocks. */
void run_recycle_start(void);

/** A block has been placed for a site. */
void run_recycle_note(struct run_site *site, void *block, size_t bytes,
                      const struct run_allocator *allocator);

/** A kept block, which the caller may return as a new one; NULL where there is none. */
void *run_recycle_take(struct run_site *site, size_t bytes, size_t alignment,
                       const struct run_allocator *allocator);

/** Whether a block may have been placed: a bit for each end of the hash of an address,
 *  set for all that ever were.  Most that are freed never were. */
enum { RUN_RECYCLE_BITS = 1 << 15 };
extern _Atomic uint64_t run_recycle_filter[RUN_RECYCLE_BITS / 64];

static inline uint32_t run_recycle_hash(uintptr_t block) {
  return (uint32_t)((block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static inline bool run_recycle_may_know(const void *block) {
  unsigned bit = run_recycle_hash((uintptr_t)block) % RUN_RECYCLE_BITS;
  uint64_t word = atomic_load_explicit(&run_recycle_filter[bit / 64], memory_order_relaxed);
  return word >> (bit % 64) & 1;
}

/** Whether a block that the program gives back to an allocator is kept: then it must not be freed.
 */
bool run_recycle_keep(void *block, const struct run_allocator *allocator);

/** A block is about to be moved, or to change its size. */
void run_recycle_forget(void *block, const struct run_allocator *allocator);

/** Free all that is kept. @return whether there was anything */
bool run_recycle_release(void);

#endif /* RUN_RECYCLE_H */
