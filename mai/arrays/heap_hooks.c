/*===-- heap_hooks.c - free() and realloc() come by here --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * They are called for all that a program frees: whether MAi knows a block is found without a lock,
 * and where it knows none this is a load and a jump.
 */
#include "heap_hooks.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "lifetime.h"
#include "mai/process/call.h"
#include "mai/process/interpose.h"
#include "mai/process/restrictions.h"
#include "registry.h"

/* The calling thread calls free() in order to hear of it. */
static _Thread_local bool listens __attribute__((tls_model("initial-exec")));

/* Is told of blocks that end. */
static void (*_Atomic watcher)(const void *);

/*===-- Blocks that end ----------------------------------------------------===*/

/* No further than its start where the allocator does not tell. */
static uintptr_t end_of(void *block, mai_usable_size_t *usable_size) {
  return (uintptr_t)block + (usable_size ? usable_size(block) : 1);
}

static __attribute__((__noinline__)) void end_known(void *block, mai_usable_size_t *usable_size) {
  MAI_CALL;
  mai_lifetime_end((uintptr_t)block, end_of(block, usable_size));
}

/* Arrays that the program gave to mai_place() may begin inside of a block: only the large ones are
   asked for. */
static bool may_be_known(void *block, mai_usable_size_t *usable_size) {
  enum { LEAST_BYTES = 4096 };
  if (mai_registry_may_start_at((uintptr_t)block))
    return true;
  return end_of(block, usable_size) - (uintptr_t)block >= LEAST_BYTES;
}

/* What MAi does not free itself ends here. */
static inline void end_block(void *block, mai_usable_size_t *usable_size) {
  void (*ends)(const void *) = atomic_load_explicit(&watcher, memory_order_relaxed);
  bool has_arrays = mai_registry_foreign_arrays();
  if (!(ends || has_arrays) || !block || mai_call_is_inside())
    return;
  if (ends)
    ends(block);
  if (has_arrays && !mai_is_restricted() && may_be_known(block, usable_size))
    end_known(block, usable_size);
}

void mai_heap_hooks_end(void *block, mai_usable_size_t *usable_size) {
  end_block(block, usable_size);
}

bool mai_heap_hooks_end_memory(const void *start, size_t bytes) {
  if (!mai_registry_foreign_arrays() || mai_call_is_inside() || mai_is_restricted())
    return false;
  MAI_CALL;
  mai_lifetime_end((uintptr_t)start, (uintptr_t)start + bytes);
  return true;
}

/*===-- free() and realloc() -----------------------------------------------===*/

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* whose run-times are in front  \
                                                                   */

/* The allocator behind us. */
static struct {
  void (*_Atomic free)(void *);
  void *(*_Atomic realloc)(void *, size_t);
  mai_usable_size_t *_Atomic usable_size; /* NULL: it is not the allocator's own */
} next;

static bool is_of_one_library(const void *left, const void *right) {
  struct mai_object object;
  return left && right && mai_object_at(left, &object) && mai_object_has(&object, right);
}

static __attribute__((__noinline__)) void find_next(void) {
  void *usable_size = dlsym(RTLD_NEXT, "malloc_usable_size");
  void (*next_free)(void *) = MAI_NEXT(free);
  atomic_store(&next.realloc, MAI_NEXT(realloc));
  if (is_of_one_library(usable_size, (const void *)next_free))
    atomic_store(&next.usable_size, (mai_usable_size_t *)usable_size);
  atomic_store(&next.free, next_free);
}

/* Before the first call: dlsym() may call free(), which had better know by then what comes next. */
__attribute__((constructor)) static void prepare(void) { find_next(); }

static mai_usable_size_t *next_usable_size(void) {
  return atomic_load_explicit(&next.usable_size, memory_order_relaxed);
}

MAI_INTERPOSES void free(void *block) {
  listens = false;
  end_block(block, next_usable_size());
  if (!atomic_load_explicit(&next.free, memory_order_relaxed))
    find_next();
  atomic_load_explicit(&next.free, memory_order_relaxed)(block);
}

/* What a block was is over before the allocator may give its memory away.  One that cannot be moved
   stays where it is, and is placed no longer.  reallocarray() calls it. */
MAI_INTERPOSES void *realloc(void *block, size_t bytes) {
  end_block(block, next_usable_size());
  if (!atomic_load_explicit(&next.realloc, memory_order_relaxed))
    find_next();
  return atomic_load_explicit(&next.realloc, memory_order_relaxed)(block, bytes);
}

#endif

/*===-- Whether they are called --------------------------------------------===*/

static bool hears;

static bool hears_of(void (*called)(void *), void *block) {
  listens = true;
  called(block);
  bool heard = !listens;
  listens = false;
  return heard;
}

/* A block would leave its traces in the program's heap.  It is asked with where somebody in front
   may have kept the call without one to himself. */
void mai_heap_hooks_listen(void) {
  void (*called)(void *);
  *(void **)&called = dlsym(RTLD_DEFAULT, "free");
  hears = called && (hears_of(called, NULL) || hears_of(called, malloc(1)));
}

bool mai_heap_hooks_hear_of_free(void) { return hears; }

void mai_heap_hooks_watch(void (*ends)(const void *block)) { atomic_store(&watcher, ends); }
