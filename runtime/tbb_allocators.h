/*===-- tbb_allocators.h - TBB's allocators, or what stands for them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libraries that stand in front of scalable_malloc() and its kin, which are libtbbmalloc's, and
 * of the functions by which tbb::cache_aligned_allocator and the like ask libtbb.  They are loaded
 * also where nobody else defines these, and are found by whoever asks whether they are there.
 */
#ifndef MINAS_TBB_ALLOCATORS_H
#define MINAS_TBB_ALLOCATORS_H

#include <stdatomic.h>
#include <stddef.h>

#define MINAS_WITHIN __attribute__((visibility("hidden")))

#define MINAS_TBB_SAFER_FREE "__TBB_malloc_safer_free"

/** Of a block that may be another allocator's, and then ends by `other`. */
typedef void minas_tbb_safer_free_t(void *block, void (*other)(void *));

struct minas_scalable_allocator {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*aligned_malloc)(size_t bytes, size_t alignment);
  void *(*aligned_realloc)(void *, size_t bytes, size_t alignment);
  void (*free)(void *); /**< also of aligned blocks */
  size_t (*usable_size)(void *);
  minas_tbb_safer_free_t *safer_free;
};

/** NULL: nobody has asked yet. */
extern MINAS_WITHIN const struct minas_scalable_allocator *_Atomic minas_scalable_known;

MINAS_WITHIN const struct minas_scalable_allocator *minas_scalable_find(void);

/** The allocator behind us, the same for all calls: libtbbmalloc's, also one that only a plugin
 * sees; without any, malloc() and its kin. */
static inline const struct minas_scalable_allocator *minas_scalable(void) {
  const struct minas_scalable_allocator *known =
      atomic_load_explicit(&minas_scalable_known, memory_order_acquire);
  return known ? known : minas_scalable_find();
}

/* The functions of libtbb, of the namespace tbb::detail::r1. */
#define MINAS_TBB_ALLOCATE "_ZN3tbb6detail2r115allocate_memoryEm"
#define MINAS_TBB_FREE "_ZN3tbb6detail2r117deallocate_memoryEPv"
#define MINAS_TBB_ALLOCATE_ALIGNED "_ZN3tbb6detail2r122cache_aligned_allocateEm"
#define MINAS_TBB_FREE_ALIGNED "_ZN3tbb6detail2r124cache_aligned_deallocateEPv"

typedef void *minas_tbb_allocate_t(size_t bytes); /* may throw an exception */
typedef void minas_tbb_free_t(void *block);

/** What stands in front, to be defined by the library that does. */
#pragma GCC visibility push(default)
void *scalable_malloc(size_t bytes);
void *scalable_calloc(size_t count, size_t size);
void *scalable_realloc(void *block, size_t bytes);
int scalable_posix_memalign(void **block, size_t alignment, size_t bytes);
void *scalable_aligned_malloc(size_t bytes, size_t alignment);
void *scalable_aligned_realloc(void *block, size_t bytes, size_t alignment);
void scalable_free(void *block);
void scalable_aligned_free(void *block);
size_t scalable_msize(void *block);
minas_tbb_safer_free_t minas_tbb_safer_free __asm__(MINAS_TBB_SAFER_FREE);
minas_tbb_allocate_t minas_tbb_allocate __asm__(MINAS_TBB_ALLOCATE);
minas_tbb_allocate_t minas_tbb_allocate_aligned __asm__(MINAS_TBB_ALLOCATE_ALIGNED);
minas_tbb_free_t minas_tbb_free __asm__(MINAS_TBB_FREE);
minas_tbb_free_t minas_tbb_free_aligned __asm__(MINAS_TBB_FREE_ALIGNED);
#pragma GCC visibility pop

/** The function of libtbb behind us, which the program calls.
 *  @param known where it is kept
 *  @param caller behind the call */
MINAS_WITHIN void *minas_tbb_function(void *_Atomic *known, const char *name, const void *caller);

/** In the function that stands in front. */
#define MINAS_TBB_NEXT(type, name)                                                                 \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (type *)minas_tbb_function(&known, name, __builtin_return_address(0));                         \
  }))

#endif /* MINAS_TBB_ALLOCATORS_H */
