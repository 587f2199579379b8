/*===-- borders.c - lines in which arrays begin or end -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "borders.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "trace/system/lock.h"
#include "memory.h"
#include "objects.h"

enum { LINE_BYTES = 1 << MAI_TRACE_LINE_SHIFT, ROOM_MIN = 256 };

struct border {
  atomic_uintptr_t line; /* 0: free */
  _Atomic uint64_t cuts; /* 0: none now */
  unsigned objects;      /* that begin or end there */
};

/* By hash of the line. */
struct table {
  size_t room;
  struct border borders[];
};

static struct {
  trace_lock_t lock;
  struct table *_Atomic table; /* read without the lock */
  size_t used;
} state;

MAI_TRACE_GENERAL_REGISTERS static size_t hash(uintptr_t line) {
  return (size_t)((line >> MAI_TRACE_LINE_SHIFT) * 0x9e3779b97f4a7c15U >> 20);
}

/* The place of a line, or the free one where it would be. */
MAI_TRACE_GENERAL_REGISTERS static struct border *slot_of(struct table *table, uintptr_t line) {
  size_t at = hash(line) & (table->room - 1);
  for (;; at = (at + 1) & (table->room - 1)) {
    uintptr_t known = atomic_load_explicit(&table->borders[at].line, memory_order_acquire);
    if (known == line || known == 0)
      return &table->borders[at];
  }
}

uint64_t trace_border_cuts(uintptr_t address) {
  struct table *table = atomic_load_explicit(&state.table, memory_order_acquire);
  if (!table)
    return 0;
  const struct border *border = slot_of(table, address & ~(uintptr_t)(LINE_BYTES - 1));
  return atomic_load_explicit(&border->line, memory_order_relaxed)
             ? atomic_load_explicit(&border->cuts, memory_order_relaxed)
             : 0;
}

static size_t count_in_use(const struct table *table) {
  size_t count = 0;
  for (size_t i = 0; table && i < table->room; i++)
    count += table->borders[i].objects > 0;
  return count;
}

static void copy(const struct border *from, struct table *table) {
  struct border *to = slot_of(table, atomic_load(&from->line));
  to->objects = from->objects;
  atomic_store(&to->cuts, atomic_load(&from->cuts));
  atomic_store(&to->line, atomic_load(&from->line));
}

/* A new table with what is in use of the old one, which remains for those who read it just now. */
static bool renew(void) {
  struct table *old = atomic_load(&state.table);
  size_t in_use = count_in_use(old);
  size_t room = ROOM_MIN;
  while (room < 4 * in_use)
    room *= 2;
  struct table *table = trace_memory(sizeof *table + room * sizeof *table->borders);
  if (!table)
    return false;
  table->room = room;
  for (size_t i = 0; old && i < old->room; i++)
    if (old->borders[i].objects > 0)
      copy(&old->borders[i], table);
  state.used = in_use;
  atomic_store(&state.table, table);
  return true;
}

/* The border in the line of an address; NULL without memory.  The lock is held. */
static struct border *border_of(uintptr_t address) {
  uintptr_t line = address & ~(uintptr_t)(LINE_BYTES - 1);
  struct table *table = atomic_load(&state.table);
  if ((!table || 2 * state.used >= table->room) && !renew())
    return NULL;
  struct border *border = slot_of(atomic_load(&state.table), line);
  if (!atomic_load(&border->line)) {
    state.used++;
    atomic_store_explicit(&border->line, line, memory_order_release);
  }
  return border;
}

static uint64_t cut_at(uintptr_t address) { return (uint64_t)1 << (address % LINE_BYTES); }

void trace_border_add(uintptr_t address) {
  if (address % LINE_BYTES == 0)
    return;
  trace_lock(&state.lock);
  struct border *border = border_of(address);
  if (border) {
    border->objects++;
    atomic_fetch_or(&border->cuts, cut_at(address));
  }
  trace_unlock(&state.lock);
}

void trace_border_remove(uintptr_t address) {
  if (address % LINE_BYTES == 0)
    return;
  trace_lock(&state.lock);
  struct border *border = border_of(address);
  if (border && border->objects > 0)
    border->objects--;
  if (border && border->objects == 0)
    atomic_store(&border->cuts, 0);
  trace_unlock(&state.lock);
}

void trace_borders_in_child(void) { atomic_store(&state.lock, 0); }

/*===-- Static arrays -------------------------------------------------------===*/

static bool has_bytes(const struct minas_symbol *symbol) {
  return symbol->type == STT_OBJECT && symbol->is_defined && symbol->is_written &&
         symbol->bytes > 0;
}

/* Of a variable that is no array it counts only that something is there. */
static void see_end(uintptr_t address, uintptr_t byte, bool is_array) {
  struct border *border = border_of(byte);
  if (!border)
    return;
  border->objects++;
  if (is_array && address % LINE_BYTES != 0)
    atomic_fetch_or(&border->cuts, cut_at(address));
}

static void see_symbol(const struct minas_symbol *symbol, void *context) {
  (void)context;
  if (!has_bytes(symbol))
    return;
  uintptr_t end = symbol->start + symbol->bytes;
  bool is_array = symbol->bytes >= TRACE_SYMBOL_BYTES_MIN;
  see_end(symbol->start, symbol->start, is_array);
  if (symbol->start / LINE_BYTES != (end - 1) / LINE_BYTES)
    see_end(end, end - 1, is_array);
}

static void see_hook(const struct minas_symbol *symbol, void *seen) {
  if (strcmp(symbol->name, "__tsan_init") == 0)
    *(bool *)seen = true;
}

static void see_object(const struct trace_object *object, void *context) {
  bool is_traced = false;
  trace_symbols_visit(object, see_hook, &is_traced);
  if (is_traced)
    trace_symbols_visit(object, see_symbol, context);
}

/* A line that an array has for itself needs no cut. */
static void forget_lonely(struct table *table) {
  for (size_t i = 0; table && i < table->room; i++)
    if (table->borders[i].objects < 2 || !atomic_load(&table->borders[i].cuts)) {
      table->borders[i].objects = 0;
      atomic_store(&table->borders[i].cuts, 0);
    }
}

void trace_borders_start(void) {
  trace_objects_visit(see_object, NULL);
  forget_lonely(atomic_load(&state.table));
  struct table *all = atomic_load(&state.table);
  if (all && renew())
    trace_memory_free(all, sizeof *all + all->room * sizeof *all->borders);
}
