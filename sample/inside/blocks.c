/*===-- blocks.c - tells mai-trace record of a program's blocks -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-trace record has the dynamic linker load this library in front of the program's own.  Blocks
 * above a size are noted in a log (log.h) with the calls that have led to them and the key by which
 * mai-run knows their site.  Memory stays that of the program's allocator.
 */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callers/asking.h"
#include "callers/callers.h"
#include "callers/key.h"
#include "runtime/heap.h"
#include "runtime/next_allocator.h"
#include "runtime/tbb_allocators.h"
#include "write.h"

static size_t noted_from = SIZE_MAX; /* smaller blocks are not noted */

static void note(enum sample_log_kind kind, const void *block, size_t bytes, uint64_t chain) {
  sample_log_put(kind, &(struct sample_entry){.address = block, .bytes = bytes, .chain = chain});
}

/*===-- Sites --------------------------------------------------------------===*/

enum { SITES = 1 << 13, LATEST = 64, CALL_BYTES = 20 };

struct site {
  uint64_t chain; /* its number */
  struct minas_callers callers;
};

static _Atomic(struct site *) sites[SITES], latest[LATEST];

/* "key\ncode code ...", addresses in hexadecimal. */
static size_t describe(const struct minas_callers *callers, char *text, size_t size) {
  minas_key_make(callers, text, MINAS_KEY_BYTES);
  size_t length = strlen(text);
  text[length++] = '\n';
  for (unsigned i = 0; i < callers->count && length + CALL_BYTES < size; i++)
    length += (size_t)snprintf(text + length, size - length, "%llx ",
                               (unsigned long long)callers->code[i]);
  return length;
}

/* Has a new chain in the log. @return its number; 0: there is no room */
static uint64_t log_chain(const struct minas_callers *callers) {
  char text[MINAS_KEY_BYTES + MINAS_CALLERS_SEEN * CALL_BYTES];
  uint64_t chain = sample_log_new_chain();
  size_t length = describe(callers, text, sizeof text);
  const struct sample_entry entry = {.chain = chain, .text = text, .length = length};
  return sample_log_put(SAMPLE_LOG_CHAIN, &entry) ? chain : 0;
}

static struct site *new_site(const struct minas_callers *callers) {
  struct site *site = minas_alloc(sizeof *site);
  if (!site)
    return NULL;
  site->callers = *callers;
  site->chain = log_chain(callers);
  return site;
}

/* Two threads may both make a site: then it is there twice, which harms nobody. */
static struct site *find_site(const struct minas_callers *callers) {
  uint64_t hash = minas_callers_hash(callers);
  for (size_t tries = 0; tries < SITES / 4; tries++) {
    _Atomic(struct site *) *place = &sites[(hash + tries) % SITES];
    struct site *known = atomic_load_explicit(place, memory_order_acquire);
    if (!known) {
      known = new_site(callers);
      atomic_store_explicit(place, known, memory_order_release);
      return known;
    }
    if (minas_callers_hash(&known->callers) == hash)
      return known;
  }
  return NULL;
}

static uint64_t chain_of(struct minas_caller caller) {
  for (size_t i = 0; i < LATEST; i++) {
    struct site *known = atomic_load_explicit(&latest[i], memory_order_acquire);
    if (known && minas_callers_are(&known->callers, caller.code, caller.stack))
      return known->chain;
  }
  struct minas_callers callers;
  minas_callers_find(caller.code, &callers);
  struct site *site = find_site(&callers);
  if (!site)
    return 0;
  atomic_store_explicit(&latest[(uintptr_t)site / sizeof *site % LATEST], site,
                        memory_order_release);
  return site->chain;
}

/* Following the calls may allocate. */
static _Thread_local bool is_inside __attribute__((tls_model("initial-exec")));

/* For MINAS_ASK(). */
static _Thread_local uintptr_t asked_from __attribute__((tls_model("initial-exec")));

static void *note_allocated(void *block, size_t bytes, struct minas_caller caller) {
  if (!block || bytes < noted_from || is_inside || minas_is_asked_inside(asked_from, caller) ||
      !sample_log_is_open())
    return block;
  int error = errno;
  is_inside = true;
  note(SAMPLE_LOG_ALLOCATED, block, bytes, chain_of(caller));
  is_inside = false;
  errno = error;
  return block;
}

/* @param usable_size NULL: the block's allocator does not tell */
static void note_freed(void *block, size_t (*usable_size)(void *)) {
  if (noted_from == SIZE_MAX || is_inside || !usable_size || usable_size(block) < noted_from)
    return;
  note(SAMPLE_LOG_FREED, block, 0, 0);
}

#define PASS_ON(bytes, call) MINAS_ASK(asked_from, (bytes) >= noted_from, call)

/*===-- malloc() and the like ----------------------------------------------===*/

SAMPLE_INTERPOSES void *malloc(size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc)
    return minas_bump_alloc(&minas_early, bytes);
  return note_allocated(PASS_ON(bytes, minas_next.malloc(bytes)), bytes, MINAS_CALLER);
}

SAMPLE_INTERPOSES void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = 0; /* the allocator refuses it */
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc)
    return minas_bump_alloc(&minas_early, bytes);
  return note_allocated(PASS_ON(bytes, minas_next.calloc(count, size)), bytes, MINAS_CALLER);
}

SAMPLE_INTERPOSES void *realloc(void *block, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc || minas_bump_has(&minas_early, block))
    return minas_bump_copy(&minas_early, malloc(bytes), block, bytes);
  if (block)
    note_freed(block, minas_next.usable_size);
  return note_allocated(PASS_ON(bytes, minas_next.realloc(block, bytes)), bytes, MINAS_CALLER);
}

SAMPLE_INTERPOSES void *aligned_alloc(size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return note_allocated(PASS_ON(bytes, minas_next.aligned_alloc(alignment, bytes)), bytes,
                        MINAS_CALLER);
}

SAMPLE_INTERPOSES void *memalign(size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return note_allocated(PASS_ON(bytes, minas_next.memalign(alignment, bytes)), bytes, MINAS_CALLER);
}

SAMPLE_INTERPOSES int posix_memalign(void **block, size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  int error = PASS_ON(bytes, minas_next.posix_memalign(block, alignment, bytes));
  if (error == 0)
    note_allocated(*block, bytes, MINAS_CALLER);
  return error;
}

SAMPLE_INTERPOSES void free(void *block) {
  if (!block || minas_bump_has(&minas_early, block))
    return;
  if (!minas_next.malloc)
    minas_next_find();
  note_freed(block, minas_next.usable_size);
  minas_next.free(block);
}

/*===-- TBB's allocator -----------------------------------------------------===*/

void *scalable_malloc(size_t bytes) {
  return note_allocated(PASS_ON(bytes, minas_scalable()->malloc(bytes)), bytes, MINAS_CALLER);
}

void *scalable_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = 0; /* the allocator refuses it */
  return note_allocated(PASS_ON(bytes, minas_scalable()->calloc(count, size)), bytes, MINAS_CALLER);
}

int scalable_posix_memalign(void **block, size_t alignment, size_t bytes) {
  int error = PASS_ON(bytes, minas_scalable()->posix_memalign(block, alignment, bytes));
  if (error == 0)
    note_allocated(*block, bytes, MINAS_CALLER);
  return error;
}

void *scalable_aligned_malloc(size_t bytes, size_t alignment) {
  return note_allocated(PASS_ON(bytes, minas_scalable()->aligned_malloc(bytes, alignment)), bytes,
                        MINAS_CALLER);
}

void *scalable_realloc(void *block, size_t bytes) {
  const struct minas_scalable_allocator *next = minas_scalable();
  if (block)
    note_freed(block, next->usable_size);
  return note_allocated(PASS_ON(bytes, next->realloc(block, bytes)), bytes, MINAS_CALLER);
}

void *scalable_aligned_realloc(void *block, size_t bytes, size_t alignment) {
  const struct minas_scalable_allocator *next = minas_scalable();
  if (block)
    note_freed(block, next->usable_size);
  return note_allocated(PASS_ON(bytes, next->aligned_realloc(block, bytes, alignment)), bytes,
                        MINAS_CALLER);
}

static void end_and_free(void *block, const struct minas_scalable_allocator *next) {
  if (block)
    note_freed(block, next->usable_size);
  next->free(block);
}

void scalable_free(void *block) { end_and_free(block, minas_scalable()); }
void scalable_aligned_free(void *block) { end_and_free(block, minas_scalable()); }
size_t scalable_msize(void *block) { return minas_scalable()->usable_size(block); }

/* What `delete` ends, where libtbbmalloc_proxy has malloc() be TBB's: its malloc_usable_size()
   knows whose a block is. */
void minas_tbb_safer_free(void *block, void (*other)(void *)) {
  const struct minas_scalable_allocator *next = minas_scalable();
  if (block)
    note_freed(block, minas_next.usable_size);
  next->safer_free(block, other);
}

/* As tbb::cache_aligned_allocator and the like call them.  How large a block is that ends nobody
   tells, so that ends are not noted: what begins there next ends it. */

void *minas_tbb_allocate(size_t bytes) {
  minas_tbb_allocate_t *next = MINAS_TBB_NEXT(minas_tbb_allocate_t, MINAS_TBB_ALLOCATE);
  return note_allocated(PASS_ON(bytes, next(bytes)), bytes, MINAS_CALLER);
}

void *minas_tbb_allocate_aligned(size_t bytes) {
  minas_tbb_allocate_t *next = MINAS_TBB_NEXT(minas_tbb_allocate_t, MINAS_TBB_ALLOCATE_ALIGNED);
  return note_allocated(PASS_ON(bytes, next(bytes)), bytes, MINAS_CALLER);
}
/*===-- Arrays of MAi ------------------------------------------------------===*/

/* MAi looks for this. @param bytes 0: the array ends @param name NULL: it has none */
SAMPLE_INTERPOSES void mai_record_tell(const void *start, size_t bytes, const char *name);
void mai_record_tell(const void *start, size_t bytes, const char *name) {
  const struct sample_entry entry = {
      .address = start, .bytes = bytes, .text = name, .length = name ? strlen(name) : 0};
  sample_log_put(bytes ? SAMPLE_LOG_NAMED : SAMPLE_LOG_FREED, &entry);
}

/*===-- The start of the program -------------------------------------------===*/

static __attribute__((constructor)) void begin(void) {
  const char *least = secure_getenv(SAMPLE_LOG_BLOCK);
  if (!minas_next.malloc)
    minas_next_find();
  if (least && sample_log_open())
    noted_from = strtoull(least, NULL, 10);
}
