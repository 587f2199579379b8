/*===-- code.h - which code accesses which page ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For each context and page the accesses by the place in the code that makes them, from which
 * mai-trace finds the line of the source.  By pages, so that it can be told which array a line of
 * the source accesses, and from which node.
 *
 * Only where the settings ask for it: 128 bytes a page, 72 more for each place that accesses it,
 * and the path of accesses that hooks.h does not count itself.
 */
#ifndef MAI_TRACE_CODE_H
#define MAI_TRACE_CODE_H

#include "counters.h"
#include "trace/model/model.h"

enum {
  TRACE_CODE_PAGE_SHIFT = 12,
  TRACE_CODE_PAGES = 1 << (MAI_TRACE_CHUNK_SHIFT - TRACE_CODE_PAGE_SHIFT),
  TRACE_CODE_LISTS = 16
};

/** What one place in the code does to a page. */
struct trace_code_use {
  uintptr_t caller; /**< where the call that counts returns to */
  uintptr_t code;   /**< an address in the code that accesses */
  atomic_ullong count[2];
  atomic_ullong model[MODEL_COUNTS]; /**< where a model sees accesses */
  struct trace_code_use *next;
};

/** All of a page, by callers. */
struct trace_code_page {
  struct trace_code_use *_Atomic lists[TRACE_CODE_LISTS];
};

struct trace_code_chunk {
  uintptr_t base;
  struct trace_code_chunk *next;
  struct trace_code_page *_Atomic pages[TRACE_CODE_PAGES];
};

/** What the place behind a caller does to the page of an address; NULL where it has not been seen
 *  there. */
MAI_TRACE_GENERAL_REGISTERS struct trace_code_use *
trace_code_find(const struct trace_context *context, uintptr_t address, uintptr_t caller);

/** The same, and where it has not been seen a new one; NULL without memory. */
struct trace_code_use *trace_code_make(struct trace_context *context, uintptr_t address,
                                       uintptr_t caller);

MAI_TRACE_GENERAL_REGISTERS static inline void trace_code_count(struct trace_code_use *use,
                                                                int kind) {
  /* One thread counts; another one may read, or move what was counted. */
  unsigned long long known = atomic_load_explicit(&use->count[kind], memory_order_relaxed);
  atomic_store_explicit(&use->count[kind], known + 1, memory_order_relaxed);
}

/** What was counted in pages of which [from, from + bytes) is at least a half belongs to `to` from
 *  now on, but to no page behind that of the byte before `to_end`. */
void trace_code_move(uintptr_t from, size_t bytes, uintptr_t to, uintptr_t to_end);

/** Forget all: in a child of fork(). */
void trace_code_forget(void);

#endif /* MAI_TRACE_CODE_H */
