/*===-- tbb_allocators.c - TBB's allocators, or what stands for them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "tbb_allocators.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lock.h"

const struct minas_scalable_allocator *_Atomic minas_scalable_known;

/*===-- malloc() and its kin -----------------------------------------------===*/

static void *aligned_malloc(size_t bytes, size_t alignment) {
  return aligned_alloc(alignment, bytes);
}

static void *aligned_realloc(void *block, size_t bytes, size_t alignment) {
  void *moved = bytes ? aligned_alloc(alignment, bytes) : NULL;
  size_t had = block ? malloc_usable_size(block) : 0;
  if (moved && block)
    memcpy(moved, block, had < bytes ? had : bytes);
  if (moved || !bytes)
    free(block);
  return moved;
}

static void safer_free(void *block, void (*other)(void *)) { other(block); }

static const struct minas_scalable_allocator heap = {.malloc = malloc,
                                                     .calloc = calloc,
                                                     .realloc = realloc,
                                                     .posix_memalign = posix_memalign,
                                                     .aligned_malloc = aligned_malloc,
                                                     .aligned_realloc = aligned_realloc,
                                                     .free = free,
                                                     .usable_size = malloc_usable_size,
                                                     .safer_free = safer_free};

/*===-- libtbbmalloc -------------------------------------------------------===*/

/* Where to look for a library's functions; NULL: nowhere.  One that only a plugin sees is found by
   its name. @param function one of them */
static void *place_of(const char *function, const char *library) {
  return dlsym(RTLD_NEXT, function) ? RTLD_NEXT : dlopen(library, RTLD_LAZY);
}

/* @return whether it has all that every release has */
static bool read_functions(void *from, struct minas_scalable_allocator *functions) {
  *(void **)&functions->malloc = dlsym(from, "scalable_malloc");
  *(void **)&functions->calloc = dlsym(from, "scalable_calloc");
  *(void **)&functions->realloc = dlsym(from, "scalable_realloc");
  *(void **)&functions->posix_memalign = dlsym(from, "scalable_posix_memalign");
  *(void **)&functions->aligned_malloc = dlsym(from, "scalable_aligned_malloc");
  *(void **)&functions->aligned_realloc = dlsym(from, "scalable_aligned_realloc");
  *(void **)&functions->free = dlsym(from, "scalable_free");
  *(void **)&functions->usable_size = dlsym(from, "scalable_msize");
  *(void **)&functions->safer_free = dlsym(from, MINAS_TBB_SAFER_FREE);
  return functions->malloc && functions->calloc && functions->realloc &&
         functions->posix_memalign && functions->aligned_malloc && functions->aligned_realloc &&
         functions->free && functions->usable_size && functions->safer_free;
}

/* Of threads that ask at the same time, what the first has found holds for all. */
static void decide(const struct minas_scalable_allocator *tbb) {
  static struct minas_lock lock = MINAS_LOCK_INITIALISER;
  static struct minas_scalable_allocator kept;
  minas_lock(&lock);
  if (!atomic_load(&minas_scalable_known)) {
    if (tbb)
      kept = *tbb;
    atomic_store(&minas_scalable_known, tbb ? &kept : &heap);
  }
  minas_unlock(&lock);
}

const struct minas_scalable_allocator *minas_scalable_find(void) {
  struct minas_scalable_allocator tbb;
  int error = errno;
  void *from = place_of("scalable_malloc", "libtbbmalloc.so.2");
  decide(from && read_functions(from, &tbb) ? &tbb : NULL);
  errno = error;
  return atomic_load(&minas_scalable_known);
}

/*===-- libtbb -------------------------------------------------------------===*/

static const struct link_map *object_of(const void *code) {
  struct link_map *object = NULL;
  Dl_info info;
  return dladdr1(code, &info, (void **)&object, RTLD_DL_LINKMAP) ? object : NULL;
}

/* Whether a function of this name is found there, which is not the one that stands in front. */
static bool has(void *from, const char *name) {
  const void *function = from ? dlsym(from, name) : NULL;
  return function && object_of(function) != object_of((const void *)has);
}

/* A plugin may have brought a libtbb along, which has another name and nobody else sees: who calls
   is asked first. */
static void *place_of_tbb(const char *name, const void *caller) {
  if (has(RTLD_NEXT, name))
    return RTLD_NEXT;
  const struct link_map *object = object_of(caller);
  void *own = object ? dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void *place = has(own, name) ? own : dlopen("libtbb.so.12", RTLD_LAZY);
  if (!place)
    abort(); /* without this library the program would not have found it either */
  return place;
}

/* All functions come from one library. */
void *minas_tbb_function(void *_Atomic *known, const char *name, const void *caller) {
  static void *_Atomic decided;
  void *function = atomic_load_explicit(known, memory_order_relaxed);
  if (function)
    return function;
  int error = errno;
  void *none = NULL;
  if (!atomic_load(&decided)) {
    void *place = place_of_tbb(name, caller);
    atomic_compare_exchange_strong(&decided, &none, place);
  }
  function = dlsym(atomic_load(&decided), name);
  atomic_store_explicit(known, function, memory_order_relaxed);
  errno = error;
  return function;
}
