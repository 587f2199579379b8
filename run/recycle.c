/*===-- recycle.c - placed blocks that are freed and wanted again *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Two tables without locks, which would block signals by system calls.  One finds a block that is
 * freed by its address; who frees it owns it, so nobody else changes its entry.  The other has the
 * blocks that are kept; who takes one out of it owns it.
 *
 * A block may be freed behind our back, by a copy of free() that does not come by here, and its
 * memory become another block, also of another allocator.  Its entry is believed only by the
 * allocator that has made it, and while that says that the block is as large as it was.
 */
#include "recycle.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "mai/process/settings.h"

enum {
  LEAST_BYTES = 1 << 13, /* the least that is placed as a block by itself */
  ENTRIES = 1 << 14,     /* blocks that are known */
  MOST_PROBES = 16,      /* places in which a block may have its entry */
  KEPT = 1 << 9,         /* blocks that are kept */
  DEFAULT_PERCENT = 25,  /* of what placed blocks have had at most are kept, but not less than: */
  LEAST_LIMIT = 32 << 20 /* a program has more memory than what is placed */
};

_Atomic uint64_t run_recycle_filter[RUN_RECYCLE_BITS / 64];

static atomic_bool started;
static unsigned percent = DEFAULT_PERCENT;
static atomic_size_t live_bytes, most_live_bytes, kept_bytes;

/*===-- Known blocks -------------------------------------------------------===*/

/* States of an entry besides the address of a block that the program has; the address + IS_KEPT is
   that of one that is kept. */
enum { NEVER_USED = 0, GONE = 2, BEING_WRITTEN = 4, IS_KEPT = 1 };

static struct entry {
  _Atomic uintptr_t block;
  struct run_site *site;
  const struct run_allocator *allocator;
  size_t bytes;
  size_t usable; /* as the allocator says */
} entries[ENTRIES];

static size_t hash(uintptr_t block) { return (size_t)(run_recycle_hash(block) >> 15); }

static void add_to_filter(uintptr_t block) {
  unsigned bit = run_recycle_hash(block) % RUN_RECYCLE_BITS;
  atomic_fetch_or_explicit(&run_recycle_filter[bit / 64], UINT64_C(1) << (bit % 64),
                           memory_order_relaxed);
}

static struct entry *find_entry(uintptr_t block) {
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct entry *entry = &entries[(hash(block) + probe) % ENTRIES];
    uintptr_t found = atomic_load_explicit(&entry->block, memory_order_acquire);
    if ((found & ~(uintptr_t)IS_KEPT) == block)
      return entry;
    if (found == NEVER_USED)
      return NULL;
  }
  return NULL;
}

/* An entry for a block, which nobody reads until it has the block's address; NULL without room. */
static struct entry *claim_entry(uintptr_t block) {
  struct entry *known = find_entry(block);
  if (known) {
    atomic_store(&known->block, BEING_WRITTEN);
    return known;
  }
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct entry *entry = &entries[(hash(block) + probe) % ENTRIES];
    uintptr_t found = atomic_load_explicit(&entry->block, memory_order_relaxed);
    if ((found == NEVER_USED || found == GONE) &&
        atomic_compare_exchange_strong(&entry->block, &found, BEING_WRITTEN))
      return entry;
  }
  return NULL;
}

static void count_live(size_t bytes) {
  size_t live = atomic_fetch_add(&live_bytes, bytes) + bytes;
  size_t most = atomic_load(&most_live_bytes);
  while (most < live && !atomic_compare_exchange_weak(&most_live_bytes, &most, live))
    ;
}

void run_recycle_note(struct run_site *site, void *block, size_t bytes,
                      const struct run_allocator *allocator) {
  uintptr_t address = (uintptr_t)block;
  bool keeps = atomic_load_explicit(&started, memory_order_relaxed) && allocator->usable_size;
  if (!keeps || bytes < LEAST_BYTES)
    return;
  struct entry *entry = claim_entry(address);
  if (!entry)
    return;
  entry->site = site;
  entry->allocator = allocator;
  entry->bytes = bytes;
  entry->usable = allocator->usable_size(block);
  add_to_filter(address);
  atomic_store_explicit(&entry->block, address, memory_order_release);
  count_live(bytes);
}

/* The entry of a block that the program has; NULL where there is none to be believed. */
static struct entry *entry_of(void *block, const struct run_allocator *allocator) {
  struct entry *entry = find_entry((uintptr_t)block);
  if (!entry || (entry->allocator == allocator && allocator->usable_size(block) == entry->usable))
    return entry;
  atomic_store(&entry->block, GONE);
  atomic_fetch_sub(&live_bytes, entry->bytes);
  return NULL;
}

/*===-- Kept blocks --------------------------------------------------------===*/

/* Each with half of the hash of its site and size in front of the number of its entry, from 1. */
static _Atomic uint64_t kept[KEPT];
static atomic_size_t hand; /* on the one that gives way next */

static uint64_t tag_of(const struct run_site *site, size_t bytes) {
  return (((uintptr_t)site >> 4) + bytes) * UINT64_C(0x9e3779b97f4a7c15) >> 32 << 32;
}

static struct entry *entry_at(uint64_t place) { return &entries[(uint32_t)place - 1]; }

static uint64_t place_of(const struct entry *entry) {
  return tag_of(entry->site, entry->bytes) | (uint64_t)(entry - entries + 1);
}

/* Nobody else knows the block any more: it is freed. */
static void free_kept(struct entry *entry) {
  uintptr_t block = atomic_load(&entry->block) & ~(uintptr_t)IS_KEPT;
  atomic_fetch_sub(&kept_bytes, entry->bytes);
  const struct run_allocator *allocator = entry->allocator;
  mai_site_drop(&entry->site->site, entry->bytes);
  atomic_store(&entry->block, GONE);
  allocator->free((void *)block);
}

/* Has the next block give way to another, or to nothing. @return whether one has */
static bool replace_next(uint64_t place) {
  uint64_t before = atomic_exchange(&kept[atomic_fetch_add(&hand, 1) % KEPT], place);
  if (before)
    free_kept(entry_at(before));
  return before;
}

static void insert(uint64_t place) {
  for (size_t i = 0; i < KEPT; i++) {
    uint64_t free = 0;
    if (atomic_load_explicit(&kept[i], memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&kept[i], &free, place))
      return;
  }
  replace_next(place);
}

static size_t limit(void) {
  size_t bytes = atomic_load(&most_live_bytes) / 100 * percent;
  return bytes > LEAST_LIMIT ? bytes : LEAST_LIMIT;
}

/* Frees others until a block may be kept, too. @return whether it may */
static bool make_room(size_t bytes) {
  size_t most = limit();
  for (size_t i = 0; i < KEPT && atomic_load(&kept_bytes) + bytes > most; i++)
    replace_next(0);
  return atomic_load(&kept_bytes) + bytes <= most;
}

/* A program that frees a block twice is stopped by the allocator, which has to have it first. */
static void free_again(struct entry *entry) {
  uint64_t place = place_of(entry);
  for (size_t i = 0; i < KEPT; i++) {
    uint64_t found = place;
    if (atomic_compare_exchange_strong(&kept[i], &found, 0)) {
      free_kept(entry);
      return;
    }
  }
}

bool run_recycle_keep(void *block, const struct run_allocator *allocator) {
  struct entry *entry = entry_of(block, allocator);
  if (!entry)
    return false;
  if (atomic_load(&entry->block) & IS_KEPT) {
    free_again(entry);
    return false;
  }
  atomic_fetch_sub(&live_bytes, entry->bytes);
  if (!make_room(entry->bytes)) {
    atomic_store(&entry->block, GONE);
    return false;
  }
  atomic_fetch_add(&kept_bytes, entry->bytes);
  mai_site_end(&entry->site->site, entry->bytes);
  atomic_store(&entry->block, (uintptr_t)block | IS_KEPT);
  insert(place_of(entry));
  return true;
}

/* Whether the block of a place that has been taken out suits; else it is put back. */
static void *use(uint64_t place, const struct run_site *site, size_t bytes, size_t alignment,
                 const struct run_allocator *allocator) {
  struct entry *entry = entry_at(place);
  uintptr_t block = atomic_load(&entry->block) & ~(uintptr_t)IS_KEPT;
  if (entry->site != site || entry->allocator != allocator || entry->bytes != bytes ||
      (block & (alignment - 1)) != 0) {
    insert(place);
    return NULL;
  }
  atomic_fetch_sub(&kept_bytes, bytes);
  mai_site_begin(&entry->site->site, bytes);
  atomic_store(&entry->block, block);
  count_live(bytes);
  return (void *)block;
}

void *run_recycle_take(struct run_site *site, size_t bytes, size_t alignment,
                       const struct run_allocator *allocator) {
  uint64_t tag = tag_of(site, bytes);
  void *block = NULL;
  if (atomic_load_explicit(&kept_bytes, memory_order_relaxed) < bytes)
    return NULL;
  for (size_t i = 0; i < KEPT && !block; i++) {
    uint64_t place = atomic_load_explicit(&kept[i], memory_order_relaxed);
    if (place && (place & ~(uint64_t)UINT32_MAX) == tag &&
        atomic_compare_exchange_strong(&kept[i], &place, 0))
      block = use(place, site, bytes, alignment, allocator);
  }
  return block;
}

void run_recycle_forget(void *block, const struct run_allocator *allocator) {
  struct entry *entry = run_recycle_may_know(block) ? entry_of(block, allocator) : NULL;
  if (!entry)
    return;
  atomic_fetch_sub(&live_bytes, entry->bytes);
  atomic_store(&entry->block, GONE);
}

bool run_recycle_release(void) {
  bool any = false;
  for (size_t i = 0; i < KEPT; i++)
    any = replace_next(0) || any;
  return any;
}

void run_recycle_start(void) {
  const char *text = mai_settings()->keep;
  if (text)
    percent = (unsigned)strtoul(text, NULL, 10);
  if (percent > 0)
    atomic_store(&started, true);
}
