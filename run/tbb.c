/*===-- tbb.c - places the blocks of TBB's allocators -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * As preload.c does with those of malloc().  The blocks share mappings, of which no name says what
 * lies in them; libmai does not stand in front of the functions that end them, and is told here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "mai/arrays/heap_hooks.h"
#include "placing.h"
#include "recycle.h"
#include "runtime/tbb_allocators.h"

/*===-- scalable_malloc() and the like -------------------------------------===*/

static size_t usable_size(void *block) { return minas_scalable()->usable_size(block); }

static void end_and_free(void *block) {
  const struct minas_scalable_allocator *next = minas_scalable();
  mai_heap_hooks_end(block, next->usable_size);
  next->free(block);
}

static const struct run_allocator scalable = {end_and_free, usable_size};

void *scalable_malloc(size_t bytes) {
  const struct minas_scalable_allocator *next = minas_scalable();
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  void *block = run_take(site, bytes, 1, &scalable);
  return block ? block
               : run_place(RUN_ASK_FOR_BLOCK(bytes, next->malloc(bytes)), bytes, site, &scalable);
}

void *scalable_calloc(size_t count, size_t size) {
  const struct minas_scalable_allocator *next = minas_scalable();
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = 0; /* the allocator refuses it */
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  void *block = run_take(site, bytes, 1, &scalable);
  return block ? memset(block, 0, bytes)
               : run_place(RUN_ASK_FOR_BLOCK(bytes, next->calloc(count, size)), bytes, site,
                           &scalable);
}

void *scalable_aligned_malloc(size_t bytes, size_t alignment) {
  const struct minas_scalable_allocator *next = minas_scalable();
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  void *block = run_take(site, bytes, alignment, &scalable);
  return block ? block
               : run_place(RUN_ASK_FOR_BLOCK(bytes, next->aligned_malloc(bytes, alignment)), bytes,
                           site, &scalable);
}

int scalable_posix_memalign(void **block, size_t alignment, size_t bytes) {
  return run_align_into(minas_scalable()->posix_memalign, block, alignment, bytes, MINAS_CALLER,
                        &scalable);
}

/* A block is about to be moved, or to change its size. */
static void let_go(void *block) {
  if (!block)
    return;
  run_recycle_forget(block, &scalable);
  mai_heap_hooks_end(block, usable_size);
}

void *scalable_realloc(void *block, size_t bytes) {
  const struct minas_scalable_allocator *next = minas_scalable();
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  let_go(block);
  return run_place(RUN_ASK(bytes, next->realloc(block, bytes)), bytes, site, &scalable);
}

void *scalable_aligned_realloc(void *block, size_t bytes, size_t alignment) {
  const struct minas_scalable_allocator *next = minas_scalable();
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  let_go(block);
  return run_place(RUN_ASK(bytes, next->aligned_realloc(block, bytes, alignment)), bytes, site,
                   &scalable);
}

static bool is_kept(void *block) {
  return block && run_recycle_may_know(block) && run_recycle_keep(block, &scalable);
}

void scalable_free(void *block) {
  if (!is_kept(block))
    end_and_free(block);
}

void scalable_aligned_free(void *block) { scalable_free(block); }

size_t scalable_msize(void *block) { return minas_scalable()->usable_size(block); }

/* libtbbmalloc_proxy, which has malloc() be TBB's, comes by here with what `delete` ends; the block
   may be one that was there before. */
void minas_tbb_safer_free(void *block, void (*other)(void *)) {
  const struct minas_scalable_allocator *next = minas_scalable();
  if (is_kept(block))
    return;
  mai_heap_hooks_end(block, NULL);
  next->safer_free(block, other);
}

/*===-- tbb::cache_aligned_allocator and the like --------------------------===*/

/* Nobody tells how large these blocks are: none is kept. */

static const struct run_allocator never_kept;

static void *allocate(minas_tbb_allocate_t *next, size_t bytes, struct minas_caller caller) {
  struct run_site *site = run_site_for(bytes, caller);
  return run_place(RUN_ASK(bytes, next(bytes)), bytes, site, &never_kept);
}

void *minas_tbb_allocate(size_t bytes) {
  return allocate(MINAS_TBB_NEXT(minas_tbb_allocate_t, MINAS_TBB_ALLOCATE), bytes, MINAS_CALLER);
}

void *minas_tbb_allocate_aligned(size_t bytes) {
  return allocate(MINAS_TBB_NEXT(minas_tbb_allocate_t, MINAS_TBB_ALLOCATE_ALIGNED), bytes,
                  MINAS_CALLER);
}

void minas_tbb_free(void *block) {
  mai_heap_hooks_end(block, NULL);
  MINAS_TBB_NEXT(minas_tbb_free_t, MINAS_TBB_FREE)(block);
}

void minas_tbb_free_aligned(void *block) {
  mai_heap_hooks_end(block, NULL);
  MINAS_TBB_NEXT(minas_tbb_free_t, MINAS_TBB_FREE_ALIGNED)(block);
}
