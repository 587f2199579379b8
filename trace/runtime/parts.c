/*===-- parts.c - counts of parts of lines -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "parts.h"

#include <stdbool.h>

#include "trace/system/kernel.h"
#include "memory.h"

enum { ROOM_MIN = 128 };

MAI_TRACE_GENERAL_REGISTERS static struct trace_part *slot_of(struct trace_parts *table,
                                                              uintptr_t start) {
  size_t at = (size_t)(start * 0x9e3779b97f4a7c15U >> 24) & (table->room - 1);
  for (;; at = (at + 1) & (table->room - 1)) {
    uintptr_t known = atomic_load_explicit(&table->part[at].start, memory_order_acquire);
    if (known == start || known == 0)
      return &table->part[at];
  }
}

struct trace_part *trace_part_find(struct trace_parts *_Atomic *parts, uintptr_t start) {
  struct trace_parts *table = atomic_load_explicit(parts, memory_order_acquire);
  struct trace_part *part = table ? slot_of(table, start) : NULL;
  return part && atomic_load_explicit(&part->start, memory_order_relaxed) ? part : NULL;
}

static bool has_counts(const struct trace_part *part) { return part->count[0] || part->count[1]; }

static size_t bytes_of(size_t room) {
  return sizeof(struct trace_parts) + room * sizeof(struct trace_part);
}

/* A new table without the parts whose counts have moved.  The old one remains: another thread may
   read it. */
static struct trace_parts *renew(struct trace_parts *old) {
  size_t in_use = 0;
  for (size_t i = 0; old && i < old->room; i++)
    in_use += has_counts(&old->part[i]);
  size_t room = ROOM_MIN;
  while (room < 4 * in_use)
    room *= 2;
  struct trace_parts *table = trace_memory(bytes_of(room));
  if (!table)
    return NULL;
  table->room = room;
  table->used = in_use;
  for (size_t i = 0; old && i < old->room; i++)
    if (has_counts(&old->part[i])) {
      struct trace_part *to = slot_of(table, atomic_load(&old->part[i].start));
      to->count[0] = old->part[i].count[0];
      to->count[1] = old->part[i].count[1];
      atomic_store(&to->start, atomic_load(&old->part[i].start));
    }
  return table;
}

struct trace_part *trace_part_make(struct trace_parts *_Atomic *parts, uintptr_t start) {
  struct trace_part *part = trace_part_find(parts, start);
  if (part)
    return part;
  /* A handler may count in the middle. */
  struct kernel_signals before = kernel_block_signals();
  struct trace_parts *old = atomic_load(parts);
  struct trace_parts *table = old && 2 * old->used < old->room ? old : renew(old);
  if (table) {
    part = slot_of(table, start);
    table->used++;
    atomic_store(&part->start, start);
    atomic_store(parts, table);
  }
  kernel_unblock_signals(before);
  return part;
}
