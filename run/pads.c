/*===-- pads.c - blocks that begin with a page ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Where the pads are follows from where a block lies that is larger by a page, which is given back
 * before: memalign() takes the same memory.  Where it does not, there are no pads, or somewhere
 * else, and the block is as good.
 */
#include "pads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "placing.h"
#include "runtime/next_allocator.h"

enum {
  MOST_BLOCKS = 256, /* of each kind */
  UNIT_BYTES = 16,   /* in which the C library's allocator counts */
  HEADER_BYTES = 8,  /* of these in front of each block */
  LEAST_BYTES = 32   /* of a block with its header */
};

/* Known, so that those who look for lost memory find it. */
static struct pads {
  void *front;
  void *back;
} pads[RUN_PAD_KINDS][MOST_BLOCKS];
static atomic_uint counts[RUN_PAD_KINDS];
static atomic_bool may_ask;

/*===-- Who is asked ---------------------------------------------------------===*/

/* An allocator without memalign() would be given back what another has made. */
void run_pads_begin(void) {
  const void *library = minas_library_of(*(void **)&minas_next.malloc);
  if (library && library == minas_library_of(*(void **)&minas_next.memalign))
    atomic_store(&may_ask, true);
}

static struct pads *next_pads(enum run_pad_kind kind) {
  if (!atomic_load_explicit(&may_ask, memory_order_relaxed) ||
      atomic_load_explicit(&counts[kind], memory_order_relaxed) >= MOST_BLOCKS)
    return NULL;
  unsigned number = atomic_fetch_add_explicit(&counts[kind], 1, memory_order_relaxed);
  return number < MOST_BLOCKS ? &pads[kind][number] : NULL;
}

/*===-- Blocks ---------------------------------------------------------------===*/

static void *ask(size_t bytes) { return RUN_ASK(bytes, minas_next.malloc(bytes)); }

/* What the allocator takes for a block and its header. */
static size_t taken(size_t bytes) {
  return (bytes + HEADER_BYTES + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
}

/* What is free between two places where blocks would begin, if it is. */
static void *take(uintptr_t from, uintptr_t to) {
  return to >= from + LEAST_BYTES ? ask(to - from - HEADER_BYTES) : NULL;
}

void *run_pads_ask(size_t bytes, size_t page_size, enum run_pad_kind kind) {
  struct pads *around = next_pads(kind);
  size_t more = page_size + LEAST_BYTES;
  void *larger = around ? ask(taken(bytes) + more) : NULL;
  if (!larger)
    return NULL;
  uintptr_t start = (uintptr_t)larger;
  minas_next.free(larger);
  void *block = RUN_ASK(bytes, minas_next.memalign(page_size, bytes));
  uintptr_t begin = (uintptr_t)block;
  if (block && begin >= start && begin <= start + more) {
    around->front = take(start, begin);
    around->back = take(begin + taken(bytes), start + taken(taken(bytes) + more));
  }
  return block;
}
