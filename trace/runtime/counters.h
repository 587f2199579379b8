/*===-- counters.h - who accessed which line how often -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The counters behind hooks.h.  A *context* is one thread, as the profile names it, in one phase
 * and slice of time, in tasks of one place or in none; every thread of the system counts into one
 * context at a time, and no two into the same.
 *
 * Memory, for each context: 8 1/4 bytes a line of 64 bytes that it touches, in steps of 4 KiB (16
 * KiB of the program's memory), and 48 to 96 for a part of a line that is cut; over the limit 16
 * bytes a page instead; over a quarter more, only two numbers.  For the process: 8 bytes a touched
 * page.
 *
 * What was counted in freed memory moves to addresses that no program has.  There, many blocks have
 * one address, and threads that never met in any of them are not to share it.  So these addresses
 * exist several times, in *views*: one for lines that a single thread has used while a block was
 * there, and some for lines that several have, by who these are.
 *
 * Nothing here calls malloc(), which the library stands in front of.
 */
#ifndef MAI_TRACE_COUNTERS_H
#define MAI_TRACE_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks.h"
#include "parts.h"

/** How the profile names a thread. */
enum trace_who_kind {
  TRACE_OPENMP, /**< thread `number` of top-level teams; 0 is also the initial thread */
  TRACE_OTHER   /**< a thread that the program made by itself, by order of creation from 1 */
};

/** What of a run a context counts. */
struct trace_part_of_run {
  unsigned phase, task, slice;
};

/** Where no Linux program has memory, one view behind the other. */
#define TRACE_FREED_BASE ((uintptr_t)1 << 44)
#define TRACE_VIEW_BYTES ((uintptr_t)1 << 41)

/** Views of freed memory; 0 is memory that is there. */
enum { TRACE_VIEW_ALONE = 1, TRACE_VIEW_SHARED, TRACE_VIEWS = 8 };

struct trace_who {
  enum trace_who_kind kind;
  unsigned number;
};

/** What the last level of counting knows of a chunk. */
struct trace_chunk {
  struct mai_trace_line lines[MAI_TRACE_CHUNK_LINES];
  uint64_t touched[MAI_TRACE_CHUNK_LINES * 2 / 64]; /**< a bit for each counter that has begun */
  uint64_t pages[MAI_TRACE_CHUNK_LINES * sizeof(struct mai_trace_line) / 4096 / 64];
  uintptr_t base; /**< of the memory that it counts */
  struct trace_chunk *next;
};

/** Counts by pages. */
struct trace_coarse {
  uintptr_t base;
  struct trace_coarse *next;
  uint64_t pages[][2];
};

/** A counter that has gone round: 2^32 accesses more. */
struct trace_wrap {
  uintptr_t address;
  int kind;
};

struct trace_context {
  struct trace_who who;
  uint16_t code; /**< of that: trace_who_code() */
  unsigned phase;
  unsigned task;       /**< trace_task_of() the tasks that it is of; 0: outside of all */
  unsigned slice;      /**< of time */
  unsigned long begun; /**< how many of these tasks */
  atomic_uint owner;   /**< the thread of the system that counts into it; 0: none */
  uintptr_t *chunks;   /**< the directory: see hooks.h */
  struct trace_coarse **coarse_chunks;
  struct trace_chunk *_Atomic list;
  struct trace_coarse *_Atomic coarse_list;
  struct trace_parts *_Atomic parts; /**< of lines that are cut */
  /* See transfers.h: by the code of the thread that lines came from, and by chunk. */
  struct trace_parts *_Atomic sources;
  struct trace_bytes **bytes_chunks;
  struct trace_bytes *_Atomic bytes_list;
  /* See code.h. */
  struct trace_code_chunk **code_chunks;
  struct trace_code_chunk *_Atomic code_list;
  struct trace_slab *_Atomic code_slab;
  uint64_t elsewhere[2]; /**< accesses of which only the number is known */
  struct trace_wrap *_Atomic wraps;
  atomic_size_t wrap_count;
  size_t wrap_room;
  /* Where the thread ran, seen when it began to count here. */
  uint32_t cpu, entries, moves;
  struct trace_context *next;
  struct trace_context *next_moved; /**< while counts move: the next that has some there */
};

/** What a touched page is known by. */
struct trace_page {
  atomic_ushort first[2]; /**< who first read and first wrote it: trace_who_code() */
  int16_t node;           /**< its node plus 1 when it was freed; 0: still there */
  uint16_t unused;
};

struct trace_page_chunk {
  uintptr_t base;
  struct trace_page_chunk *next;
  struct trace_page pages[];
};

/** How much may be spent; read by trace_counters_init(). */
struct trace_budget {
  size_t limit; /**< bytes for counters of lines, of all threads */
  unsigned page_shift;
};

void trace_counters_init(const struct trace_budget *budget);

/** The number by which a page remembers a thread: never 0; the last one stands for all beyond. */
uint16_t trace_who_code(struct trace_who who);

/** The context of a thread in a part of the run that no other thread counts into: a new one, or one
 *  that was left.  NULL without memory. */
struct trace_context *trace_context_take(struct trace_who who, const struct trace_part_of_run *part,
                                         unsigned owner);

bool trace_context_is_for(const struct trace_context *context, struct trace_who who,
                          const struct trace_part_of_run *part);

/** Let others take all contexts of this owner. */
void trace_contexts_leave(unsigned owner);

/** All contexts, newest first; and all chunks of pages. */
struct trace_context *trace_contexts(void);
struct trace_page_chunk *trace_page_chunks(void);

/** Count one access into a context. */
void trace_count_into(struct trace_context *context, uintptr_t address, int kind);

/** Distribute with the counter of an access that has just left 0. */
void trace_counter_began(struct trace_context *context, uintptr_t address, int kind);

/** Whether trace_count_known() will count an access of that kind to its line; let it do so: what
 * has begun, and goes round no more often than 32 bits tell. */
MAI_TRACE_GENERAL_REGISTERS bool trace_is_counted(struct trace_context *context, uintptr_t address,
                                                  int kind);
MAI_TRACE_GENERAL_REGISTERS bool trace_count_known(struct trace_context *context, uintptr_t address,
                                                   int kind);

/** Count an access to a part of a line that has been counted before, by the counter that has just
 *  left 0. @return whether it is one; distribute with the counter otherwise */
MAI_TRACE_GENERAL_REGISTERS bool trace_count_known_part(struct trace_context *context,
                                                        uintptr_t address, int kind);

/** The line of an address has been cut: what this owner has counted in it is its first part's. */
void trace_counters_cut(uintptr_t address, unsigned owner);

/** The accesses of a counter. */
uint64_t trace_counter_value(const struct trace_context *context, const struct trace_chunk *chunk,
                             size_t line, int kind);

/** Let all counts of [from, from + bytes), which is there still, be those of `to`, freed memory
 * with the same offset in its page.  What would come to lie at `to_end` or behind it is counted
 * just before that.  Takes the time of what was touched there.
 * @param leaves whether the memory goes with its pages: who uses these next touches them first */
void trace_counters_move(uintptr_t from, size_t bytes, uintptr_t to, uintptr_t to_end, bool leaves);

/** The view that an address is in, and the address in the first one. */
unsigned trace_view_of(uintptr_t address);
uintptr_t trace_without_view(uintptr_t address);

/** Whether anybody has accessed any page of it. */
bool trace_is_touched(uintptr_t start, size_t bytes);

/** Who touched the pages of a block first, for one that takes its place; NULL where there is no
 * memory. To be given back by trace_memory_free(). */
struct trace_touchers {
  size_t bytes; /**< of itself */
  uintptr_t start;
  size_t pages;
  unsigned short first[][2];
};
struct trace_touchers *trace_touchers_of(uintptr_t start, size_t bytes);

/** What was at `from->start` is at `start` now, up to so many bytes: as the same pages, or, where
 * these cannot be, copied by the thread of a context. */
void trace_touched_before(const struct trace_touchers *from, uintptr_t start, size_t bytes,
                          const struct trace_context *context);

/** Whether counting has become coarse, and by how many bytes counters grew. */
bool trace_counters_coarse(void);
size_t trace_counters_bytes(void);

/** Forget all: in a child of fork(). */
void trace_counters_forget(void);

#endif /* MAI_TRACE_COUNTERS_H */
