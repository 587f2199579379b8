/*===-- transfers.c - which thread gets a line from which --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "transfers.h"

#include <string.h>

#include "memory.h"

enum { WRITER_BITS = 16, READERS = 64 - WRITER_BITS };

static struct trace_owners *_Atomic directory[MAI_TRACE_CHUNKS];
static struct trace_owners *_Atomic all;

MAI_TRACE_GENERAL_REGISTERS static size_t chunk_index(uintptr_t address) {
  return (address >> MAI_TRACE_CHUNK_SHIFT) & (MAI_TRACE_CHUNKS - 1);
}

MAI_TRACE_GENERAL_REGISTERS static size_t line_index(uintptr_t address) {
  return (address >> MAI_TRACE_LINE_SHIFT) & (MAI_TRACE_CHUNK_LINES - 1);
}

MAI_TRACE_GENERAL_REGISTERS static struct trace_owners *owners_at(uintptr_t address) {
  return atomic_load_explicit(&directory[chunk_index(address)], memory_order_acquire);
}

MAI_TRACE_GENERAL_REGISTERS static struct trace_bytes *bytes_at(const struct trace_context *context,
                                                                uintptr_t address) {
  return context->bytes_chunks ? context->bytes_chunks[chunk_index(address)] : NULL;
}

/*===-- Memory --------------------------------------------------------------===*/

static struct trace_owners *make_owners(uintptr_t address) {
  struct trace_owners *known = owners_at(address);
  struct trace_owners *owners = known ? known : trace_memory(sizeof *owners);
  if (!owners || known)
    return owners;
  owners->base = chunk_index(address) << MAI_TRACE_CHUNK_SHIFT;
  if (!atomic_compare_exchange_strong(&directory[chunk_index(address)], &known, owners)) {
    trace_memory_free(owners, sizeof *owners);
    return known;
  }
  owners->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &owners->next, owners))
    ;
  return owners;
}

static struct trace_bytes *make_bytes(struct trace_context *context, uintptr_t address) {
  struct trace_bytes *bytes = bytes_at(context, address);
  if (bytes)
    return bytes;
  if (!context->bytes_chunks)
    context->bytes_chunks = trace_memory(MAI_TRACE_CHUNKS * sizeof *context->bytes_chunks);
  bytes = context->bytes_chunks ? trace_memory(sizeof *bytes) : NULL;
  if (!bytes)
    return NULL;
  bytes->base = chunk_index(address) << MAI_TRACE_CHUNK_SHIFT;
  bytes->next = atomic_load(&context->bytes_list);
  while (!atomic_compare_exchange_weak(&context->bytes_list, &bytes->next, bytes))
    ;
  context->bytes_chunks[chunk_index(address)] = bytes;
  return bytes;
}

/*===-- Transfers -----------------------------------------------------------===*/

/* The owner of a line after an access by the thread of a code.
   @param from receives the code of the thread that it comes from; 0: no transfer */
MAI_TRACE_GENERAL_REGISTERS static uint64_t own(uint64_t owner, uint16_t code, int kind,
                                                uint16_t *from) {
  uint16_t writer = (uint16_t)owner;
  uint64_t reader = (uint64_t)1 << (WRITER_BITS + code % READERS);
  bool is_others = writer && writer != code;
  *from = is_others && !(owner & reader) ? writer : 0;
  if (kind == MAI_TRACE_WRITE)
    return code;
  return is_others ? owner | reader : owner;
}

/* @return false where the context has not counted transfers from that thread before; nothing was
   done then */
MAI_TRACE_GENERAL_REGISTERS static bool
take(struct trace_owners *owners, struct trace_context *context, uintptr_t address, int kind) {
  _Atomic uint64_t *place = &owners->owner[line_index(address)];
  uint64_t owner = atomic_load_explicit(place, memory_order_relaxed);
  uint64_t next;
  uint16_t from;
  struct trace_part *source = NULL;
  do {
    next = own(owner, context->code, kind, &from);
    source = from ? trace_part_find(&context->sources, from) : NULL;
    if (from && !source)
      return false;
  } while (next != owner && !atomic_compare_exchange_weak(place, &owner, next));
  if (source) {
    source->count[kind]++;
    atomic_fetch_add_explicit(&owners->transfers[line_index(address)], 1, memory_order_relaxed);
  }
  return true;
}

MAI_TRACE_GENERAL_REGISTERS static void note_byte(struct trace_bytes *bytes, uintptr_t address,
                                                  int kind) {
  bytes->begun[line_index(address)][kind] |= (uint64_t)1
                                             << (address & ((1U << MAI_TRACE_LINE_SHIFT) - 1));
}

bool trace_transfer_known(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_owners *owners = owners_at(address);
  struct trace_bytes *bytes = bytes_at(context, address);
  if (!owners || !bytes || !trace_is_counted(context, address, kind) ||
      !take(owners, context, address, kind))
    return false;
  note_byte(bytes, address, kind);
  return trace_count_known(context, address, kind);
}

void trace_transfer(struct trace_context *context, uintptr_t address, int kind) {
  struct trace_owners *owners = make_owners(address);
  struct trace_bytes *bytes = make_bytes(context, address);
  trace_count_into(context, address, kind);
  if (bytes)
    note_byte(bytes, address, kind);
  if (!owners)
    return;
  while (!take(owners, context, address, kind)) {
    uint16_t writer = (uint16_t)atomic_load(&owners->owner[line_index(address)]);
    if (writer && !trace_part_make(&context->sources, writer))
      return;
  }
}

/*===-- Freed memory --------------------------------------------------------===*/

void trace_transfers_move_line(uintptr_t from, uintptr_t to) {
  struct trace_owners *old = owners_at(from);
  if (!old)
    return;
  atomic_store(&old->owner[line_index(from)], 0);
  unsigned transfers = atomic_exchange(&old->transfers[line_index(from)], 0);
  struct trace_owners *new = transfers ? make_owners(to) : NULL;
  if (new)
    atomic_fetch_add(&new->transfers[line_index(to)], transfers);
}

void trace_transfers_move_bytes(struct trace_context *context, uintptr_t from, uintptr_t to,
                                uint64_t bytes) {
  struct trace_bytes *old = bytes_at(context, from);
  struct trace_bytes *new = old ? make_bytes(context, to) : NULL;
  for (int kind = MAI_TRACE_READ; new && kind <= MAI_TRACE_WRITE; kind++) {
    uint64_t moved = old->begun[line_index(from)][kind] & bytes;
    old->begun[line_index(from)][kind] &= ~moved;
    new->begun[line_index(to)][kind] |= moved;
  }
}

/*===-- For the profile -----------------------------------------------------===*/

unsigned trace_transfers_of(uintptr_t address) {
  struct trace_owners *owners = owners_at(address);
  return owners ? atomic_load(&owners->transfers[line_index(address)]) : 0;
}

struct trace_owners *trace_owners(void) { return atomic_load(&all); }

void trace_transfers_forget(void) {
  for (struct trace_owners *owners = trace_owners(); owners; owners = owners->next) {
    memset(owners->owner, 0, sizeof owners->owner);
    memset(owners->transfers, 0, sizeof owners->transfers);
  }
  for (struct trace_context *context = trace_contexts(); context; context = context->next) {
    atomic_store(&context->sources, NULL);
    for (struct trace_bytes *bytes = context->bytes_list; bytes; bytes = bytes->next)
      memset(bytes->begun, 0, sizeof bytes->begun);
  }
}
