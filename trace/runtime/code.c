/*===-- code.c - which code accesses which page ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "code.h"

#include <string.h>

#include "memory.h"

enum { SLAB_BYTES = 1 << 18 };

/* Memory that a context has got at once, and how much of it is in use. */
struct trace_slab {
  struct trace_slab *before;
  atomic_size_t used;
};

MAI_TRACE_GENERAL_REGISTERS static size_t chunk_index(uintptr_t address) {
  return (address >> MAI_TRACE_CHUNK_SHIFT) & (MAI_TRACE_CHUNKS - 1);
}

MAI_TRACE_GENERAL_REGISTERS static size_t page_index(uintptr_t address) {
  return (address >> TRACE_CODE_PAGE_SHIFT) & (TRACE_CODE_PAGES - 1);
}

MAI_TRACE_GENERAL_REGISTERS static size_t list_index(uintptr_t caller) {
  return (size_t)((uint32_t)caller * 0x9e3779b9U >> 28) % TRACE_CODE_LISTS;
}

MAI_TRACE_GENERAL_REGISTERS static struct trace_code_page *
page_at(const struct trace_context *context, uintptr_t address) {
  struct trace_code_chunk *chunk =
      context->code_chunks ? context->code_chunks[chunk_index(address)] : NULL;
  return chunk ? atomic_load_explicit(&chunk->pages[page_index(address)], memory_order_acquire)
               : NULL;
}

MAI_TRACE_GENERAL_REGISTERS static struct trace_code_use *find_in(struct trace_code_page *page,
                                                                  uintptr_t caller) {
  struct trace_code_use *use =
      atomic_load_explicit(&page->lists[list_index(caller)], memory_order_acquire);
  while (use && use->caller != caller)
    use = use->next;
  return use;
}

struct trace_code_use *trace_code_find(const struct trace_context *context, uintptr_t address,
                                       uintptr_t caller) {
  struct trace_code_page *page = page_at(context, address);
  return page ? find_in(page, caller) : NULL;
}

/*===-- Memory --------------------------------------------------------------===*/
/*
 * The thread of a context makes its tables; a handler of a signal may in the middle of that.
 */

static void *take(struct trace_context *context, size_t bytes) {
  for (;;) {
    struct trace_slab *slab = atomic_load(&context->code_slab);
    size_t at = slab ? atomic_fetch_add(&slab->used, bytes) : SLAB_BYTES;
    if (at + bytes <= SLAB_BYTES)
      return (char *)slab + at;
    struct trace_slab *more = trace_memory(SLAB_BYTES);
    if (!more)
      return NULL;
    more->before = slab;
    atomic_init(&more->used, sizeof *more);
    if (!atomic_compare_exchange_strong(&context->code_slab, &slab, more))
      trace_memory_free(more, SLAB_BYTES);
  }
}

static struct trace_code_chunk *make_chunk(struct trace_context *context, uintptr_t address) {
  if (!context->code_chunks)
    context->code_chunks = trace_memory(MAI_TRACE_CHUNKS * sizeof(struct trace_code_chunk *));
  if (!context->code_chunks)
    return NULL;
  struct trace_code_chunk **place = &context->code_chunks[chunk_index(address)];
  struct trace_code_chunk *chunk = *place ? *place : trace_memory(sizeof *chunk);
  if (!chunk || *place)
    return chunk;
  chunk->base = (uintptr_t)chunk_index(address) << MAI_TRACE_CHUNK_SHIFT;
  chunk->next = atomic_load(&context->code_list);
  while (!atomic_compare_exchange_weak(&context->code_list, &chunk->next, chunk))
    ;
  *place = chunk;
  return chunk;
}

static struct trace_code_page *make_page(struct trace_context *context, uintptr_t address) {
  struct trace_code_chunk *chunk = make_chunk(context, address);
  if (!chunk)
    return NULL;
  struct trace_code_page *_Atomic *place = &chunk->pages[page_index(address)];
  struct trace_code_page *page = atomic_load(place);
  struct trace_code_page *more = page ? NULL : take(context, sizeof *more);
  if (page || !more)
    return page;
  return atomic_compare_exchange_strong(place, &page, more) ? more : page;
}

/*===-- Code ----------------------------------------------------------------===*/

/* The code that an access belongs to.  What gcc_plugin.cpp has put behind functions goes back to
   the access: its line is that of where it goes. */
static uintptr_t code_behind(uintptr_t caller) {
#ifdef __x86_64__
  static const unsigned char raises_stack[] = {0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0};
  enum { JUMP_NEAR = 0xeb, JUMP_FAR = 0xe9 };
  const unsigned char *at = (const unsigned char *)caller;
  if (memcmp(at, raises_stack, sizeof raises_stack) == 0) {
    at += sizeof raises_stack;
    int32_t distance = at[1] < 128 ? at[1] : at[1] - 256;
    if (*at == JUMP_FAR)
      memcpy(&distance, at + 1, sizeof distance);
    if (*at == JUMP_NEAR || *at == JUMP_FAR)
      return (uintptr_t)at + (*at == JUMP_FAR ? 5 : 2) + (uintptr_t)(intptr_t)distance - 1;
  }
#endif
  return caller - 1;
}

static struct trace_code_use *make_use(struct trace_context *context, uintptr_t address,
                                       uintptr_t caller, uintptr_t code) {
  struct trace_code_page *page = make_page(context, address);
  struct trace_code_use *use = page ? find_in(page, caller) : NULL;
  if (!page || use)
    return use;
  use = take(context, sizeof *use);
  if (!use)
    return NULL;
  use->caller = caller;
  use->code = code;
  struct trace_code_use *_Atomic *list = &page->lists[list_index(caller)];
  use->next = atomic_load(list);
  while (!atomic_compare_exchange_weak(list, &use->next, use))
    ;
  return use;
}

struct trace_code_use *trace_code_make(struct trace_context *context, uintptr_t address,
                                       uintptr_t caller) {
  struct trace_code_use *use = trace_code_find(context, address, caller);
  return use ? use : make_use(context, address, caller, code_behind(caller));
}

/*===-- Freed memory --------------------------------------------------------===*/

static void move_use(struct trace_context *context, struct trace_code_use *old, uintptr_t to) {
  unsigned long long count[2];
  for (int kind = MAI_TRACE_READ; kind <= MAI_TRACE_WRITE; kind++)
    count[kind] = atomic_exchange(&old->count[kind], 0);
  struct trace_code_use *new =
      count[0] || count[1] ? make_use(context, to, old->caller, old->code) : NULL;
  for (int kind = MAI_TRACE_READ; new && kind <= MAI_TRACE_WRITE; kind++)
    atomic_fetch_add(&new->count[kind], count[kind]);
  for (int what = 0; new && what < MODEL_COUNTS; what++)
    atomic_fetch_add(&new->model[what], atomic_exchange(&old->model[what], 0));
}

static void move_page(uintptr_t from, uintptr_t to) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next) {
    struct trace_code_page *page = page_at(context, from);
    for (unsigned list = 0; page && list < TRACE_CODE_LISTS; list++)
      for (struct trace_code_use *use = page->lists[list]; use; use = use->next)
        move_use(context, use, to);
  }
}

void trace_code_move(uintptr_t from, size_t bytes, uintptr_t to, uintptr_t to_end) {
  const uintptr_t page_bytes = (uintptr_t)1 << TRACE_CODE_PAGE_SHIFT;
  for (uintptr_t page = from & ~(page_bytes - 1); page < from + bytes; page += page_bytes) {
    uintptr_t first = page < from ? from : page;
    uintptr_t end = page + page_bytes < from + bytes ? page + page_bytes : from + bytes;
    uintptr_t new = to + (first - from) < to_end ? to + (first - from) : to_end - 1;
    if (2 * (end - first) >= page_bytes)
      move_page(page, new);
  }
}

void trace_code_forget(void) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    for (struct trace_code_chunk *chunk = context->code_list; chunk; chunk = chunk->next)
      memset(chunk->pages, 0, sizeof chunk->pages);
}
