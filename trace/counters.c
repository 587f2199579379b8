/*===-- counters.c - who accessed which line how often -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "counters.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"

enum { COUNTER_PAGE = 4096, FEW_WHOS = 0x7fff };

/* Not const, lest it be in the file: no byte of it is ever written, so that it costs no memory. */
uintptr_t mai_trace_no_chunks[MAI_TRACE_CHUNKS];

static struct {
  struct trace_budget budget;
  atomic_size_t bytes;        /* of counters of lines */
  atomic_size_t coarse_bytes; /* of counters of pages */
  atomic_bool coarse;
  struct trace_context *_Atomic contexts;
  struct trace_page_chunk *_Atomic page_chunks;
  pthread_mutex_t moving;
} state = {.budget = {SIZE_MAX, 12}, .moving = PTHREAD_MUTEX_INITIALIZER};

static struct trace_page_chunk *_Atomic page_directory[MAI_TRACE_CHUNKS];

void trace_counters_init(const struct trace_budget *budget) { state.budget = *budget; }

static size_t chunk_index(uintptr_t address) {
  return (address >> MAI_TRACE_CHUNK_SHIFT) & (MAI_TRACE_CHUNKS - 1);
}

static uintptr_t chunk_base(uintptr_t address) {
  return (uintptr_t)chunk_index(address) << MAI_TRACE_CHUNK_SHIFT;
}

static size_t line_index(uintptr_t address) {
  return (address >> MAI_TRACE_LINE_SHIFT) & (MAI_TRACE_CHUNK_LINES - 1);
}

/* How far a chunk's counters are from where they would be if they began at address 0. */
static uintptr_t bias(uintptr_t address) {
  return (chunk_base(address) >> MAI_TRACE_LINE_SHIFT) * sizeof(struct mai_trace_line);
}

/* The chunk of an address; NULL when it is missing. */
static struct trace_chunk *chunk_of(const struct trace_context *context, uintptr_t address) {
  uintptr_t entry = context->chunks[chunk_index(address)];
  return entry ? (struct trace_chunk *)(entry + bias(address)) : NULL;
}

static size_t pages_per_chunk(void) {
  return (size_t)1 << (MAI_TRACE_CHUNK_SHIFT - state.budget.page_shift);
}

static size_t page_index(uintptr_t address) {
  return (address >> state.budget.page_shift) & (pages_per_chunk() - 1);
}

/* Sets a bit. @return whether it was clear */
static bool mark(uint64_t *bits, size_t index) {
  uint64_t bit = (uint64_t)1 << (index % 64);
  bool was_clear = !(bits[index / 64] & bit);
  bits[index / 64] |= bit;
  return was_clear;
}

/*===-- Pages ---------------------------------------------------------------===*/

uint16_t trace_who_code(struct trace_who who) {
  unsigned number = who.number < FEW_WHOS - 1 ? who.number : FEW_WHOS - 1;
  return (uint16_t)(number + 1 + (who.kind == TRACE_OTHER ? FEW_WHOS + 1 : 0));
}

static struct trace_page_chunk *add_page_chunk(size_t index) {
  struct trace_page_chunk *chunk =
      trace_memory(sizeof *chunk + pages_per_chunk() * sizeof *chunk->pages);
  struct trace_page_chunk *other = NULL;
  if (!chunk)
    return NULL;
  chunk->base = (uintptr_t)index << MAI_TRACE_CHUNK_SHIFT;
  if (!atomic_compare_exchange_strong(&page_directory[index], &other, chunk)) {
    trace_memory_free(chunk, sizeof *chunk + pages_per_chunk() * sizeof *chunk->pages);
    return other;
  }
  chunk->next = atomic_load(&state.page_chunks);
  while (!atomic_compare_exchange_weak(&state.page_chunks, &chunk->next, chunk))
    ;
  return chunk;
}

struct trace_page *trace_page_find(uintptr_t address) {
  struct trace_page_chunk *chunk = atomic_load(&page_directory[chunk_index(address)]);
  return chunk ? &chunk->pages[page_index(address)] : NULL;
}

static void note_first(const struct trace_context *context, uintptr_t address, int kind) {
  size_t index = chunk_index(address);
  struct trace_page_chunk *chunk = atomic_load(&page_directory[index]);
  if (!chunk)
    chunk = add_page_chunk(index);
  if (!chunk)
    return;
  atomic_ushort *first = &chunk->pages[page_index(address)].first[kind];
  unsigned short nobody = 0;
  if (atomic_load_explicit(first, memory_order_relaxed) == 0)
    atomic_compare_exchange_strong(first, &nobody, trace_who_code(context->who));
}

struct trace_page_chunk *trace_page_chunks(void) { return atomic_load(&state.page_chunks); }

/*===-- Contexts ------------------------------------------------------------===*/

struct trace_context *trace_contexts(void) { return atomic_load(&state.contexts); }

static bool is_for(const struct trace_context *context, struct trace_who who, unsigned phase) {
  return context->who.kind == who.kind && context->who.number == who.number &&
         context->phase == phase;
}

static struct trace_context *take_left(struct trace_who who, unsigned phase, unsigned owner) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next) {
    unsigned nobody = 0;
    if (is_for(context, who, phase) &&
        (atomic_load(&context->owner) == owner ||
         atomic_compare_exchange_strong(&context->owner, &nobody, owner)))
      return context;
  }
  return NULL;
}

static struct trace_context *new_context(struct trace_who who, unsigned phase, unsigned owner) {
  struct trace_context *context = trace_memory(sizeof *context);
  uintptr_t *chunks = trace_memory(MAI_TRACE_CHUNKS * sizeof *chunks);
  if (!context || !chunks)
    return NULL;
  context->who = who;
  context->phase = phase;
  context->chunks = chunks;
  context->cpu = UINT32_MAX;
  atomic_init(&context->owner, owner);
  context->next = atomic_load(&state.contexts);
  while (!atomic_compare_exchange_weak(&state.contexts, &context->next, context))
    ;
  return context;
}

struct trace_context *trace_context_take(struct trace_who who, unsigned phase, unsigned owner) {
  struct trace_context *context = take_left(who, phase, owner);
  return context ? context : new_context(who, phase, owner);
}

void trace_contexts_leave(unsigned owner) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (atomic_load(&context->owner) == owner)
      atomic_store(&context->owner, 0);
}

/*===-- Counting ------------------------------------------------------------===*/

static bool over_limit(void) { return atomic_load(&state.bytes) >= state.budget.limit; }

static struct trace_chunk *add_chunk(struct trace_context *context, uintptr_t address) {
  struct trace_chunk *chunk = over_limit() ? NULL : trace_memory(sizeof *chunk);
  if (!chunk) {
    atomic_store(&state.coarse, true);
    return NULL;
  }
  chunk->base = chunk_base(address);
  chunk->next = context->list;
  context->list = chunk;
  context->chunks[chunk_index(address)] = (uintptr_t)chunk->lines - bias(address);
  return chunk;
}

static struct trace_coarse *add_coarse(struct trace_context *context, uintptr_t address) {
  size_t bytes = sizeof(struct trace_coarse) + pages_per_chunk() * sizeof(uint64_t[2]);
  if (!context->coarse_chunks)
    context->coarse_chunks = trace_memory(MAI_TRACE_CHUNKS * sizeof(struct trace_coarse *));
  if (!context->coarse_chunks ||
      atomic_fetch_add(&state.coarse_bytes, bytes) >= state.budget.limit / 4)
    return NULL;
  struct trace_coarse *coarse = trace_memory(bytes);
  if (!coarse)
    return NULL;
  coarse->base = chunk_base(address);
  coarse->next = context->coarse_list;
  context->coarse_list = coarse;
  context->coarse_chunks[chunk_index(address)] = coarse;
  return coarse;
}

static void count_coarsely(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_coarse *coarse =
      context->coarse_chunks ? context->coarse_chunks[chunk_index(address)] : NULL;
  if (!coarse)
    coarse = add_coarse(context, address);
  if (!coarse) {
    context->elsewhere[kind]++;
    return;
  }
  if (coarse->pages[page_index(address)][kind]++ == 0)
    note_first(context, address, kind);
}

/* Doubles the room of a context's list of counters that have gone round. */
static bool make_room(struct trace_context *context) {
  size_t room = context->wrap_room ? 2 * context->wrap_room : 256;
  struct trace_wrap *wraps = trace_memory(room * sizeof *wraps);
  if (!wraps)
    return false;
  if (context->wraps) {
    memcpy(wraps, context->wraps, context->wrap_count * sizeof *wraps);
    trace_memory_free(context->wraps, context->wrap_room * sizeof *wraps);
  }
  context->wraps = wraps;
  context->wrap_room = room;
  return true;
}

static void note_wrap(struct trace_context *context, uintptr_t address, int kind) {
  if (context->wrap_count == context->wrap_room && !make_room(context)) {
    context->elsewhere[kind] += (uint64_t)1 << 32;
    return;
  }
  uintptr_t line = address >> MAI_TRACE_LINE_SHIFT << MAI_TRACE_LINE_SHIFT;
  context->wraps[context->wrap_count++] = (struct trace_wrap){line, kind};
}

static void begin_counter(struct trace_context *context, struct trace_chunk *chunk,
                          uintptr_t address, int kind) {
  size_t line = line_index(address);
  if (!mark(chunk->touched, 2 * line + (size_t)kind)) {
    note_wrap(context, chunk->base + (address & (((uintptr_t)1 << MAI_TRACE_CHUNK_SHIFT) - 1)),
              kind);
    return;
  }
  note_first(context, address, kind);
  if (!mark(chunk->pages, line * sizeof *chunk->lines / COUNTER_PAGE))
    return;
  atomic_fetch_add(&state.bytes, COUNTER_PAGE + COUNTER_PAGE / 32);
  /* No chunk grows beyond the limit: what it misses is counted by pages. */
  if (over_limit()) {
    atomic_store(&state.coarse, true);
    context->chunks[chunk_index(address)] = 0;
  }
}

void trace_counter_began(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_chunk *chunk = chunk_of(context, address);
  if (chunk)
    begin_counter(context, chunk, address, kind);
}

void trace_count_into(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_chunk *chunk = chunk_of(context, address);
  if (!chunk)
    chunk = add_chunk(context, address);
  if (!chunk)
    count_coarsely(context, address, kind);
  else if (mai_trace_step(&chunk->lines[line_index(address)].count[kind]))
    begin_counter(context, chunk, address, kind);
}

uint64_t trace_counter_value(const struct trace_context *context, const struct trace_chunk *chunk,
                             size_t line, int kind) {
  uint64_t value = 0U - chunk->lines[line].count[kind];
  bool touched =
      chunk->touched[(2 * line + (size_t)kind) / 64] >> ((2 * line + (size_t)kind) % 64) & 1;
  if (touched && value == 0)
    value = (uint64_t)1 << 32;
  uintptr_t address = chunk->base + ((uintptr_t)line << MAI_TRACE_LINE_SHIFT);
  for (size_t i = 0; i < context->wrap_count; i++)
    if (context->wraps[i].kind == kind && context->wraps[i].address == address)
      value += (uint64_t)1 << 32;
  return value;
}

/*===-- Moving --------------------------------------------------------------===*/

static void add_wraps(struct trace_context *context, uintptr_t address, int kind, uint64_t count) {
  for (; count; count--)
    note_wrap(context, address, kind);
}

/* Adds to a counter what another has. */
static void add_to(struct trace_context *context, uintptr_t address, int kind, uint64_t count) {
  struct trace_chunk *chunk = chunk_of(context, address);
  if (!chunk)
    chunk = add_chunk(context, address);
  if (!chunk) {
    context->elsewhere[kind] += count;
    return;
  }
  uint32_t *counter = &chunk->lines[line_index(address)].count[kind];
  size_t bit = 2 * line_index(address) + (size_t)kind;
  uint64_t old = 0U - *counter;
  if (old == 0 && (chunk->touched[bit / 64] >> (bit % 64) & 1))
    old = (uint64_t)1 << 32;
  *counter = -(uint32_t)(old + count);
  if (mark(chunk->touched, bit) &&
      mark(chunk->pages, line_index(address) * sizeof *chunk->lines / COUNTER_PAGE))
    atomic_fetch_add(&state.bytes, COUNTER_PAGE + COUNTER_PAGE / 32);
  /* A counter at 0 that has begun stands for 2^32. */
  uint64_t sum = old + count;
  uint64_t shown = (uint32_t)sum ? (uint32_t)sum : (uint64_t)1 << 32;
  add_wraps(context, address >> MAI_TRACE_LINE_SHIFT << MAI_TRACE_LINE_SHIFT, kind,
            (sum - shown) >> 32);
}

static void drop_wraps(struct trace_context *context, uintptr_t address) {
  size_t kept = 0;
  for (size_t i = 0; i < context->wrap_count; i++)
    if (context->wraps[i].address != address)
      context->wraps[kept++] = context->wraps[i];
  context->wrap_count = kept;
}

static void move_line(struct trace_context *context, struct trace_chunk *chunk, size_t line,
                      uintptr_t to) {
  for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++) {
    uint64_t bit = (uint64_t)1 << ((2 * line + (size_t)kind) % 64);
    uint64_t *word = &chunk->touched[(2 * line + (size_t)kind) / 64];
    if (!(*word & bit))
      continue;
    add_to(context, to, kind, trace_counter_value(context, chunk, line, kind));
    chunk->lines[line].count[kind] = 0;
    *word &= ~bit;
  }
  if (context->wrap_count)
    drop_wraps(context, chunk->base + ((uintptr_t)line << MAI_TRACE_LINE_SHIFT));
}

static void move_lines(struct trace_context *context, uintptr_t from, uintptr_t end, uintptr_t to) {
  const uintptr_t line_bytes = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  const uintptr_t chunk_bytes = (uintptr_t)1 << MAI_TRACE_CHUNK_SHIFT;
  for (uintptr_t at = from; at < end;) {
    struct trace_chunk *chunk = chunk_of(context, at);
    uintptr_t chunk_end = (at | (chunk_bytes - 1)) + 1;
    uintptr_t stop = chunk_end < end ? chunk_end : end;
    for (; chunk && at < stop; at += line_bytes) {
      size_t line = line_index(at);
      if (chunk->touched[2 * line / 64] >> (2 * line % 64) & 3)
        move_line(context, chunk, line, to + (at - from));
    }
    at = stop;
  }
}

/* @param whole whether nothing else is in the page */
static void move_page(uintptr_t from, uintptr_t to, int16_t node, bool whole) {
  struct trace_page *old = trace_page_find(from);
  if (!old)
    return;
  struct trace_page_chunk *chunk = atomic_load(&page_directory[chunk_index(to)]);
  if (!chunk && !(chunk = add_page_chunk(chunk_index(to))))
    return;
  struct trace_page *new = &chunk->pages[page_index(to)];
  for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++) {
    unsigned short nobody = 0;
    atomic_compare_exchange_strong(&new->first[kind], &nobody, atomic_load(&old->first[kind]));
    if (whole)
      atomic_store(&old->first[kind], 0);
  }
  if (node > 0)
    new->node = node;
}

void trace_counters_move(uintptr_t from, size_t bytes, uintptr_t to, const int16_t *nodes) {
  const uintptr_t line_bytes = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  const uintptr_t page_bytes = (uintptr_t)1 << state.budget.page_shift;
  uintptr_t first_line = from & ~(line_bytes - 1);
  uintptr_t shift = from - first_line;
  pthread_mutex_lock(&state.moving);
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    move_lines(context, first_line, from + bytes, to - shift);
  uintptr_t first_page = from & ~(page_bytes - 1);
  for (uintptr_t page = first_page; page < from + bytes; page += page_bytes)
    move_page(page, (to & ~(page_bytes - 1)) + (page - first_page),
              nodes[(page - first_page) / page_bytes],
              page >= from && page + page_bytes <= from + bytes);
  pthread_mutex_unlock(&state.moving);
}

/*===-- Totals --------------------------------------------------------------===*/

bool trace_counters_coarse(void) { return atomic_load(&state.coarse); }

size_t trace_counters_bytes(void) {
  return atomic_load(&state.bytes) + atomic_load(&state.coarse_bytes);
}

static void forget_context(struct trace_context *context) {
  for (struct trace_chunk *chunk = context->list, *next; chunk; chunk = next) {
    next = chunk->next;
    trace_memory_free(chunk, sizeof *chunk);
  }
  context->list = NULL;
  for (struct trace_coarse *coarse = context->coarse_list; coarse; coarse = coarse->next)
    memset(coarse->pages, 0, pages_per_chunk() * sizeof *coarse->pages);
  madvise(context->chunks, MAI_TRACE_CHUNKS * sizeof *context->chunks, MADV_DONTNEED);
  context->elsewhere[0] = context->elsewhere[1] = 0;
  context->wrap_count = 0;
  context->entries = context->moves = 0;
}

void trace_counters_forget(void) {
  pthread_mutex_init(&state.moving, NULL);
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    forget_context(context);
  for (struct trace_page_chunk *chunk = trace_page_chunks(); chunk; chunk = chunk->next)
    memset(chunk->pages, 0, pages_per_chunk() * sizeof *chunk->pages);
  atomic_store(&state.bytes, 0);
}
