/*===-- counters.c - who accessed which line how often -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "counters.h"

#include <string.h>

#include "borders.h"
#include "code.h"
#include "trace/system/kernel.h"
#include "trace/system/lock.h"
#include "memory.h"
#include "pages.h"
#include "transfers.h"

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
  trace_lock_t moving;
} state = {.budget = {SIZE_MAX, 12}};

static struct trace_page_chunk *_Atomic page_directory[MAI_TRACE_CHUNKS];

void trace_counters_init(const struct trace_budget *budget) { state.budget = *budget; }

MAI_TRACE_GENERAL_REGISTERS static size_t chunk_index(uintptr_t address) {
  return (address >> MAI_TRACE_CHUNK_SHIFT) & (MAI_TRACE_CHUNKS - 1);
}

MAI_TRACE_GENERAL_REGISTERS static uintptr_t chunk_base(uintptr_t address) {
  return (uintptr_t)chunk_index(address) << MAI_TRACE_CHUNK_SHIFT;
}

MAI_TRACE_GENERAL_REGISTERS static size_t line_index(uintptr_t address) {
  return (address >> MAI_TRACE_LINE_SHIFT) & (MAI_TRACE_CHUNK_LINES - 1);
}

/* How far a chunk's counters are from where they would be if they began at address 0. */
MAI_TRACE_GENERAL_REGISTERS static uintptr_t bias(uintptr_t address) {
  return (chunk_base(address) >> MAI_TRACE_LINE_SHIFT) * sizeof(struct mai_trace_line);
}

/* The chunk of an address; NULL when it is missing. */
MAI_TRACE_GENERAL_REGISTERS static struct trace_chunk *chunk_of(const struct trace_context *context,
                                                                uintptr_t address) {
  uintptr_t entry = context->chunks[chunk_index(address)];
  return entry ? (struct trace_chunk *)(entry + bias(address)) : NULL;
}

static size_t pages_per_chunk(void) {
  return (size_t)1 << (MAI_TRACE_CHUNK_SHIFT - state.budget.page_shift);
}

static size_t page_index(uintptr_t address) {
  return (address >> state.budget.page_shift) & (pages_per_chunk() - 1);
}

/* Which counters of a line have begun. */
MAI_TRACE_GENERAL_REGISTERS static unsigned begun(const struct trace_chunk *chunk, size_t line) {
  return chunk->touched[2 * line / 64] >> (2 * line % 64) & 3;
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

/** The page of an address, or NULL when nobody touched its surroundings. */
static struct trace_page *find_page(uintptr_t address) {
  struct trace_page_chunk *chunk = atomic_load(&page_directory[chunk_index(address)]);
  return chunk ? &chunk->pages[page_index(address)] : NULL;
}

static void note_first_as(unsigned short who, uintptr_t address, int kind) {
  size_t index = chunk_index(address);
  struct trace_page_chunk *chunk = atomic_load(&page_directory[index]);
  if (!chunk)
    chunk = add_page_chunk(index);
  if (!chunk)
    return;
  atomic_ushort *first = &chunk->pages[page_index(address)].first[kind];
  unsigned short nobody = 0;
  if (atomic_load_explicit(first, memory_order_relaxed) == 0)
    atomic_compare_exchange_strong(first, &nobody, who);
}

static void note_first(const struct trace_context *context, uintptr_t address, int kind) {
  note_first_as(trace_who_code(context->who), address, kind);
}

static bool is_touched(const struct trace_page *page) {
  return atomic_load(&page->first[MAI_TRACE_READ]) || atomic_load(&page->first[MAI_TRACE_WRITE]);
}

/* Calls `visit` for the touched pages of [from, end) until it returns true; where nobody touched
   anything, this takes next to no time. @return whether it did */
static bool visit_touched(uintptr_t from, uintptr_t end,
                          bool (*visit)(uintptr_t page, void *context), void *context) {
  const uintptr_t page_bytes = (uintptr_t)1 << state.budget.page_shift;
  const uintptr_t chunk_bytes = (uintptr_t)1 << MAI_TRACE_CHUNK_SHIFT;
  for (uintptr_t at = from & ~(page_bytes - 1); at < end;) {
    const struct trace_page *page = find_page(at);
    if (page && is_touched(page) && visit(at, context))
      return true;
    at = page ? at + page_bytes : (at | (chunk_bytes - 1)) + 1;
  }
  return false;
}

static bool is_enough(uintptr_t page, void *context) {
  (void)page;
  (void)context;
  return true;
}

/*===-- Blocks that move ----------------------------------------------------===*/

struct trace_touchers *trace_touchers_of(uintptr_t start, size_t bytes) {
  uintptr_t page = (uintptr_t)1 << state.budget.page_shift;
  uintptr_t from = start & ~(page - 1);
  size_t pages = (start + bytes - from + page - 1) / page;
  size_t needed = sizeof(struct trace_touchers) + pages * sizeof(unsigned short[2]);
  struct trace_touchers *result = trace_memory(needed);
  if (!result)
    return NULL;
  *result = (struct trace_touchers){.bytes = needed, .start = start, .pages = pages};
  for (size_t i = 0; i < pages; i++) {
    const struct trace_page *known = find_page(from + i * page);
    for (int kind = MAI_TRACE_READ; known && kind <= MAI_TRACE_WRITE; kind++)
      result->first[i][kind] = atomic_load(&known->first[kind]);
  }
  return result;
}

void trace_touched_before(const struct trace_touchers *from, uintptr_t start, size_t bytes,
                          const struct trace_context *context) {
  uintptr_t page = (uintptr_t)1 << state.budget.page_shift;
  bool may_be_same = (start & (page - 1)) == (from->start & (page - 1));
  for (size_t i = 0; i < from->pages && i * page < bytes; i++)
    for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++)
      if (from->first[i][kind])
        note_first_as(may_be_same ? from->first[i][kind] : trace_who_code(context->who),
                      start + i * page, kind);
}

bool trace_is_touched(uintptr_t start, size_t bytes) {
  return visit_touched(start, start + bytes, is_enough, NULL);
}

struct trace_page_chunk *trace_page_chunks(void) { return atomic_load(&state.page_chunks); }

/*===-- Contexts ------------------------------------------------------------===*/

struct trace_context *trace_contexts(void) { return atomic_load(&state.contexts); }

bool trace_context_is_for(const struct trace_context *context, struct trace_who who,
                          const struct trace_part_of_run *part) {
  return context->who.kind == who.kind && context->who.number == who.number &&
         context->phase == part->phase && context->task == part->task &&
         context->slice == part->slice;
}

static struct trace_context *take_left(struct trace_who who, const struct trace_part_of_run *part,
                                       unsigned owner) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next) {
    unsigned nobody = 0;
    if (trace_context_is_for(context, who, part) &&
        (atomic_load(&context->owner) == owner ||
         atomic_compare_exchange_strong(&context->owner, &nobody, owner)))
      return context;
  }
  return NULL;
}

static struct trace_context *new_context(struct trace_who who, const struct trace_part_of_run *part,
                                         unsigned owner) {
  struct trace_context *context = trace_memory(sizeof *context);
  uintptr_t *chunks = trace_memory(MAI_TRACE_CHUNKS * sizeof *chunks);
  if (!context || !chunks)
    return NULL;
  context->who = who;
  context->code = trace_who_code(who);
  context->phase = part->phase;
  context->task = part->task;
  context->slice = part->slice;
  context->chunks = chunks;
  context->cpu = UINT32_MAX;
  atomic_init(&context->owner, owner);
  context->next = atomic_load(&state.contexts);
  while (!atomic_compare_exchange_weak(&state.contexts, &context->next, context))
    ;
  return context;
}

struct trace_context *trace_context_take(struct trace_who who, const struct trace_part_of_run *part,
                                         unsigned owner) {
  struct trace_context *context = take_left(who, part, owner);
  return context ? context : new_context(who, part, owner);
}

void trace_contexts_leave(unsigned owner) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (atomic_load(&context->owner) == owner)
      atomic_store(&context->owner, 0);
}

/*===-- Counting ------------------------------------------------------------===*/

static bool over_limit(void) { return atomic_load(&state.bytes) >= state.budget.limit; }

/* A handler of a signal may count in the middle of what the thread that it interrupts counts: it
   adds to the same lists. */
static struct trace_chunk *add_chunk(struct trace_context *context, uintptr_t address) {
  struct trace_chunk *chunk = over_limit() ? NULL : trace_memory(sizeof *chunk);
  if (!chunk) {
    atomic_store(&state.coarse, true);
    return NULL;
  }
  chunk->base = chunk_base(address);
  chunk->next = atomic_load(&context->list);
  while (!atomic_compare_exchange_weak(&context->list, &chunk->next, chunk))
    ;
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
  coarse->next = atomic_load(&context->coarse_list);
  while (!atomic_compare_exchange_weak(&context->coarse_list, &coarse->next, coarse))
    ;
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
  /* The old list remains for another thread that may read it. */
  if (context->wraps)
    memcpy(wraps, context->wraps, context->wrap_count * sizeof *wraps);
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

bool trace_is_counted(struct trace_context *context, uintptr_t address, int kind) {
  const struct trace_chunk *chunk = chunk_of(context, address);
  if (chunk && chunk->lines[line_index(address)].count[kind])
    return true;
  uint64_t cuts = chunk ? trace_border_cuts(address) : 0;
  return cuts && !(begun(chunk, line_index(address)) >> kind & 1) &&
         trace_part_find(&context->parts, trace_part_start(address, cuts));
}

bool trace_count_known(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_chunk *chunk = chunk_of(context, address);
  if (!chunk->lines[line_index(address)].count[kind])
    return trace_count_known_part(context, address, kind);
  chunk->lines[line_index(address)].count[kind]--;
  return true;
}

bool trace_count_known_part(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_chunk *chunk = chunk_of(context, address);
  uint64_t cuts = trace_border_cuts(address);
  if (!cuts || !chunk || (begun(chunk, line_index(address)) >> kind & 1))
    return false;
  struct trace_part *part = trace_part_find(&context->parts, trace_part_start(address, cuts));
  if (!part)
    return false;
  part->count[kind]++;
  chunk->lines[line_index(address)].count[kind] = 0;
  return true;
}

/* @return whether the line of an address is cut, and its part was counted */
static bool count_part(struct trace_context *context, struct trace_chunk *chunk, uintptr_t address,
                       int kind) {
  uint64_t cuts = trace_border_cuts(address);
  if (!cuts || (begun(chunk, line_index(address)) >> kind & 1))
    return false;
  struct trace_part *part = trace_part_make(&context->parts, trace_part_start(address, cuts));
  if (!part)
    return false;
  if (part->count[kind]++ == 0)
    note_first(context, address, kind);
  chunk->lines[line_index(address)].count[kind] = 0;
  return true;
}

static void begin_counter(struct trace_context *context, struct trace_chunk *chunk,
                          uintptr_t address, int kind) {
  size_t line = line_index(address);
  if (count_part(context, chunk, address, kind))
    return;
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
  if (value == 0 && (begun(chunk, line) >> kind & 1))
    value = (uint64_t)1 << 32;
  uintptr_t address = chunk->base + ((uintptr_t)line << MAI_TRACE_LINE_SHIFT);
  size_t count = context->wrap_count; /* read before the list, which has at least as many */
  const struct trace_wrap *wraps = context->wraps;
  for (size_t i = 0; i < count; i++)
    if (wraps[i].kind == kind && wraps[i].address == address)
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

static void drop_counter(struct trace_chunk *chunk, size_t line, int kind) {
  chunk->lines[line].count[kind] = 0;
  chunk->touched[2 * line / 64] &= ~((uint64_t)1 << ((2 * line + (size_t)kind) % 64));
}

static void move_line(struct trace_context *context, struct trace_chunk *chunk, size_t line,
                      uintptr_t to) {
  for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++) {
    if (!(begun(chunk, line) >> kind & 1))
      continue;
    add_to(context, to, kind, trace_counter_value(context, chunk, line, kind));
    drop_counter(chunk, line, kind);
  }
  trace_transfers_move_bytes(context, chunk->base + ((uintptr_t)line << MAI_TRACE_LINE_SHIFT), to,
                             ~(uint64_t)0);
  if (context->wrap_count)
    drop_wraps(context, chunk->base + ((uintptr_t)line << MAI_TRACE_LINE_SHIFT));
}

/* The contexts that have counters in the chunk of an address, as a list. */
static struct trace_context *contexts_at(uintptr_t address) {
  struct trace_context *list = NULL;
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (chunk_of(context, address)) {
      context->next_moved = list;
      list = context;
    }
  return list;
}

/* Who has counted in a line or a part of one. */
struct users {
  uint16_t last;
  bool several;
  uint64_t set;
};

static void add_user(struct users *users, const struct trace_context *context) {
  uint16_t code = trace_who_code(context->who);
  users->several |= users->last && users->last != code;
  users->last = code;
  users->set |= (uint64_t)1 << (code % 64);
}

static unsigned view_for(const struct users *users) {
  const unsigned shared = TRACE_VIEWS - TRACE_VIEW_SHARED + 1;
  unsigned number = (unsigned)(users->set * 0x9e3779b97f4a7c15U >> 32);
  return users->several ? TRACE_VIEW_SHARED + number % shared : TRACE_VIEW_ALONE;
}

/* Whether any of the lines that share a word of bits with that of an address have begun. */
static bool any_begun(const struct trace_context *list, uintptr_t address) {
  for (; list; list = list->next_moved)
    if (chunk_of(list, address)->touched[2 * line_index(address) / 64])
      return true;
  return false;
}

static void move_line_of_all(struct trace_context *list, uintptr_t from, uintptr_t to) {
  struct users users = {.last = 0};
  for (struct trace_context *context = list; context; context = context->next_moved)
    if (begun(chunk_of(context, from), line_index(from)))
      add_user(&users, context);
  to += (view_for(&users) - TRACE_VIEW_ALONE) * TRACE_VIEW_BYTES;
  for (struct trace_context *context = list; context; context = context->next_moved)
    if (begun(chunk_of(context, from), line_index(from)))
      move_line(context, chunk_of(context, from), line_index(from), to);
  trace_transfers_move_line(from, to);
}

/* [from, end) lies in one chunk. */
static void move_lines(uintptr_t from, uintptr_t end, uintptr_t to) {
  const uintptr_t line_bytes = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  const uintptr_t word_bytes = 32 * line_bytes;
  struct trace_context *list = contexts_at(from);
  for (uintptr_t at = from, stop; list && at < end; at = stop) {
    stop = (at | (word_bytes - 1)) + 1;
    for (uintptr_t line = at; any_begun(list, at) && line < stop && line < end; line += line_bytes)
      move_line_of_all(list, line, to + (line - from));
  }
}

/* @param is_better than what another page of the block has said */
static void move_page(const struct trace_page *old, uintptr_t to, int16_t node, bool is_better) {
  struct trace_page_chunk *chunk = atomic_load(&page_directory[chunk_index(to)]);
  if (!chunk && !(chunk = add_page_chunk(chunk_index(to))))
    return;
  struct trace_page *new = &chunk->pages[page_index(to)];
  for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++) {
    unsigned short nobody = 0;
    atomic_compare_exchange_strong(&new->first[kind], &nobody, atomic_load(&old->first[kind]));
  }
  if (node > 0 && (is_better || new->node <= 0))
    new->node = node;
}

static void leave_page(struct trace_page *page) {
  for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++)
    atomic_store(&page->first[kind], 0);
}

/* A block whose counts move, and those of its pages for which the kernel has not been asked yet. */
struct move {
  uintptr_t from, end, to;
  bool leaves;
  size_t count;
  uintptr_t pages[TRACE_PAGES_MAX];
};

/* The page of the block in which is what comes into the middle of a page, or is nearest to that:
   blocks of a group begin anywhere in a page. */
static uintptr_t source_of(const struct move *move, uintptr_t page) {
  const uintptr_t page_bytes = (uintptr_t)1 << state.budget.page_shift;
  const uintptr_t last = move->end - 1 - move->from;
  uintptr_t middle = page + page_bytes / 2;
  uintptr_t offset = middle > move->to ? middle - move->to : 0;
  return (move->from + (offset < last ? offset : last)) & ~(page_bytes - 1);
}

/* To the pages that get something of it, two at most. */
static void move_to_pages(const struct move *move, uintptr_t from, int16_t node) {
  const uintptr_t page_bytes = (uintptr_t)1 << state.budget.page_shift;
  struct trace_page *old = find_page(from);
  uintptr_t first = from > move->from ? from : move->from;
  uintptr_t end = from + page_bytes < move->end ? from + page_bytes : move->end;
  uintptr_t to = move->to + (first - move->from);
  uintptr_t to_end = move->to + (end - move->from);
  for (to &= ~(page_bytes - 1); to < to_end; to += page_bytes)
    move_page(old, to, node, source_of(move, to) == from);
  if (move->leaves && end - first == page_bytes)
    leave_page(old);
}

static void move_pages(struct move *move) {
  int16_t nodes[TRACE_PAGES_MAX];
  trace_nodes_of_pages(move->pages, move->count, nodes);
  for (size_t i = 0; i < move->count; i++)
    move_to_pages(move, move->pages[i], nodes[i]);
  move->count = 0;
}

static bool note_page(uintptr_t page, void *context) {
  struct move *move = context;
  move->pages[move->count++] = page;
  if (move->count == TRACE_PAGES_MAX)
    move_pages(move);
  return false;
}

/* The lines of [from, end), in the parts of it where there are counters of anybody. */
static void move_all_lines(uintptr_t from, uintptr_t end, uintptr_t to) {
  const uintptr_t chunk_bytes = (uintptr_t)1 << MAI_TRACE_CHUNK_SHIFT;
  for (uintptr_t at = from, stop; at < end; at = stop) {
    stop = (at | (chunk_bytes - 1)) + 1;
    if (stop > end)
      stop = end;
    if (find_page(at))
      move_lines(at, stop, to + (at - from));
  }
}

/* The part of a context that begins at `start`; NULL where it has counted nothing there. */
static struct trace_part *counted_part(struct trace_context *context, uintptr_t start) {
  struct trace_part *part = trace_part_find(&context->parts, start);
  return part && (part->count[0] || part->count[1]) ? part : NULL;
}

/* @param bytes those of the part, in its line */
static void move_part(uintptr_t start, uintptr_t to, uint64_t bytes) {
  struct users users = {.last = 0};
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (counted_part(context, start))
      add_user(&users, context);
  to += (view_for(&users) - TRACE_VIEW_ALONE) * TRACE_VIEW_BYTES;
  for (struct trace_context *context = trace_contexts(); context; context = context->next) {
    struct trace_part *part = counted_part(context, start);
    if (part)
      trace_transfers_move_bytes(context, start, to, bytes);
    for (int kind = MAI_TRACE_READ; part && kind <= MAI_TRACE_WRITE; kind++) {
      if (part->count[kind])
        add_to(context, to, kind, part->count[kind]);
      part->count[kind] = 0;
    }
  }
}

/* A bit for each byte of a line that lies between two addresses. */
static uint64_t bytes_between(uintptr_t from, uintptr_t end) {
  return (~(uint64_t)0 >> (64 - (end - from))) << (from % 64);
}

/* [from, end) lies in one line, and does not fill it. */
static void move_parts(uintptr_t from, uintptr_t end, uintptr_t to, uintptr_t to_end) {
  uint64_t cuts = trace_border_cuts(from);
  for (uintptr_t at = from; cuts && at < end; at++)
    if (trace_part_start(at, cuts) == at)
      move_part(at, to + (at - from) < to_end ? to + (at - from) : to_end - 1,
                bytes_between(at, end));
}

void trace_counters_move(uintptr_t from, size_t bytes, uintptr_t to, uintptr_t to_end,
                         bool leaves) {
  const uintptr_t line_bytes = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  uintptr_t end = from + bytes;
  uintptr_t first = (from + line_bytes - 1) & ~(line_bytes - 1);
  uintptr_t last = end & ~(line_bytes - 1);
  struct move move = {.from = from, .end = end, .to = to, .leaves = leaves};
  trace_lock(&state.moving);
  if (from < first)
    move_parts(from, first < end ? first : end, to, to_end);
  if (first < last)
    move_all_lines(first, last, to + (first - from));
  if (first <= last && last < end)
    move_parts(last, end, to + (last - from), to_end);
  trace_unlock(&state.moving);
  visit_touched(from, from + bytes, note_page, &move);
  if (move.count)
    move_pages(&move);
  trace_code_move(from, bytes, to, to_end);
}

/* What a context has counted in a line becomes a part's. */
static void cut_line(struct trace_context *context, uintptr_t start) {
  struct trace_chunk *chunk = chunk_of(context, start);
  if (!chunk || !begun(chunk, line_index(start)))
    return;
  struct trace_part *part = trace_part_make(&context->parts, start);
  for (int kind = MAI_TRACE_READ; part && kind <= MAI_TRACE_WRITE; kind++) {
    part->count[kind] += trace_counter_value(context, chunk, line_index(start), kind);
    drop_counter(chunk, line_index(start), kind);
  }
  if (part && context->wrap_count)
    drop_wraps(context, start);
}

void trace_counters_cut(uintptr_t address, unsigned owner) {
  const uintptr_t line_bytes = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  const struct trace_page *page = find_page(address);
  if (!page || !is_touched(page))
    return;
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (atomic_load(&context->owner) == owner || atomic_load(&context->owner) == 0)
      cut_line(context, address & ~(line_bytes - 1));
}

unsigned trace_view_of(uintptr_t address) {
  uintptr_t view = (address - TRACE_FREED_BASE) / TRACE_VIEW_BYTES;
  return address >= TRACE_FREED_BASE && view < TRACE_VIEWS ? TRACE_VIEW_ALONE + (unsigned)view : 0;
}

uintptr_t trace_without_view(uintptr_t address) {
  unsigned view = trace_view_of(address);
  return view ? address - (view - TRACE_VIEW_ALONE) * TRACE_VIEW_BYTES : address;
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
  kernel_madvise(context->chunks, MAI_TRACE_CHUNKS * sizeof *context->chunks, MADV_DONTNEED);
  context->elsewhere[0] = context->elsewhere[1] = 0;
  context->wrap_count = 0;
  atomic_store(&context->parts, NULL);
  context->entries = context->moves = 0;
}

void trace_counters_forget(void) {
  trace_transfers_forget();
  trace_code_forget();
  atomic_store(&state.moving, 0);
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    forget_context(context);
  for (struct trace_page_chunk *chunk = trace_page_chunks(); chunk; chunk = chunk->next)
    memset(chunk->pages, 0, pages_per_chunk() * sizeof *chunk->pages);
  atomic_store(&state.bytes, 0);
}
