/*===-- preload.c - places the memory of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-run has the dynamic linker load this library in front of the program's own.  Before the
 * program's static variables are constructed, the static arrays are placed for which the user has
 * set a policy; from then on so are blocks of malloc() and its kin above a size, known by the
 * functions of the program that asked for them.  What libraries ask for as they begin is left
 * alone: a policy for all of a program's memory would also be one for what MAi itself uses.
 *
 * Memory stays that of the program's allocator, whichever that is: the functions here only pass on.
 * libmai's free() and realloc(), which come next, see to a block's end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mai/arrays/executable.h"
#include "mai/arrays/heap_hooks.h"
#include "mai/names/block_names.h"
#include "mai/process/call.h"
#include "placing.h"
#include "recycle.h"
#include "runtime/kernel_call.h"
#include "runtime/leftovers.h"
#include "runtime/next_allocator.h"
#include "sites.h"
#include "start_memory.h"

enum { START_STACK_BYTES = 32 * 1024 };

/* That of malloc(), behind us. */
static struct run_allocator heap;

/* What MAi asks for before main() begins, or what it calls does; NULL: it is somebody else. */
static inline void *start_block(size_t bytes) {
  return run_is_before_main() && mai_call_is_inside() ? run_start_alloc(bytes) : NULL;
}

/*===-- malloc() and the like ----------------------------------------------===*/

static __attribute__((__noinline__)) void *allocate_placed(size_t bytes,
                                                           struct minas_caller caller) {
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc)
    return minas_bump_alloc(&minas_early, bytes);
  void *block = start_block(bytes);
  if (block)
    return block;
  struct run_site *site = run_site_for(bytes, caller);
  block = run_take(site, bytes, 1, &heap);
  if (block)
    return block;
  block = run_ask_at_page(site, bytes, 1);
  if (!block)
    block = RUN_ASK_FOR_BLOCK(bytes, minas_next.malloc(bytes));
  return run_place(block, bytes, site, &heap);
}

/* Of the small blocks there are millions: their way is short. */
RUN_INTERPOSES void *malloc(size_t bytes) {
  return minas_next.malloc && run_is_left_alone(bytes) ? minas_next.malloc(bytes)
                                                       : allocate_placed(bytes, MINAS_CALLER);
}

RUN_INTERPOSES void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (!minas_next.malloc)
    minas_next_find();
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = 0; /* the allocator refuses it */
  if (!minas_next.malloc)
    return minas_bump_alloc(&minas_early, bytes);
  void *block = start_block(bytes);
  if (block)
    return block;
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  block = run_take(site, bytes, 1, &heap);
  if (block)
    return memset(block, 0, bytes);
  block = run_ask_at_page(site, bytes, 1);
  if (block)
    memset(block, 0, bytes);
  else
    block = RUN_ASK_FOR_BLOCK(bytes, minas_next.calloc(count, size));
  return run_place(block, bytes, site, &heap);
}

RUN_INTERPOSES void *realloc(void *block, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc || minas_bump_has(&minas_early, block))
    return minas_bump_copy(&minas_early, malloc(bytes), block, bytes);
  if (minas_bump_has(&run_start_memory, block))
    return minas_bump_copy(&run_start_memory, malloc(bytes), block, bytes);
  void *start = block ? NULL : start_block(bytes);
  if (start)
    return start;
  struct run_site *site = run_site_for(bytes, MINAS_CALLER);
  if (block)
    run_recycle_forget(block, &heap);
  return run_place(RUN_ASK(bytes, minas_next.realloc(block, bytes)), bytes, site, &heap);
}

static void *align(void *(*allocate)(size_t, size_t), size_t alignment, size_t bytes,
                   struct minas_caller caller) {
  struct run_site *site = run_site_for(bytes, caller);
  void *block = run_take(site, bytes, alignment, &heap);
  if (block)
    return block;
  block = run_ask_at_page(site, bytes, alignment);
  if (!block)
    block = RUN_ASK_FOR_BLOCK(bytes, allocate(alignment, bytes));
  return run_place(block, bytes, site, &heap);
}

RUN_INTERPOSES void *aligned_alloc(size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return align(minas_next.aligned_alloc, alignment, bytes, MINAS_CALLER);
}

RUN_INTERPOSES void *memalign(size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return align(minas_next.memalign, alignment, bytes, MINAS_CALLER);
}

RUN_INTERPOSES int posix_memalign(void **block, size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return run_align_into(minas_next.posix_memalign, block, alignment, bytes, MINAS_CALLER, &heap);
}

/* Who stands behind may listen, also to calls without a block; not yet while that is looked for. */
RUN_INTERPOSES void free(void *block) {
  if (minas_bump_has(&minas_early, block) || minas_bump_has(&run_start_memory, block) ||
      (!block && !minas_next.free))
    return;
  if (!minas_next.malloc)
    minas_next_find();
  if (!block || !run_recycle_may_know(block) || !run_recycle_keep(block, &heap))
    minas_next.free(block);
}

/* What is kept is memory that the program does not use, too. */
RUN_INTERPOSES int malloc_trim(size_t bytes) {
  bool any = run_recycle_release();
  int (*trim)(size_t);
  *(void **)&trim = dlsym(RTLD_NEXT, "malloc_trim");
  return (trim && trim(bytes)) || any;
}

/*===-- mmap() --------------------------------------------------------------===*/

typedef void *map_t(void *start, size_t bytes, int protection, int flags, int file, off_t offset);

/* NULL before main() has begun, when dlsym() may not be called. */
static map_t *_Atomic next_map;

static void *ask_kernel(void *start, size_t bytes, int protection, int flags, int file,
                        off_t offset) {
  long result =
      minas_kernel_call(SYS_mmap, (long)start, (long)bytes, protection, flags, file, offset);
  if (!minas_kernel_failed(result))
    return (void *)result;
  errno = (int)-result;
  return MAP_FAILED;
}

/* Of these the tracer counts sites, too. */
static bool may_hold_arrays(int protection, int flags) {
  return (protection & PROT_WRITE) && !(flags & MAP_FIXED);
}

/* Memory of this process alone, and all of it: what is reserved may be used in any other way. */
static bool may_be_placed(int protection, int flags) {
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
  return !(protection & PROT_EXEC) && (flags & kind) == kind &&
         !(flags & (MAP_NORESERVE | MAP_STACK | MAP_GROWSDOWN));
}

#define DEFINE_MAP(name)                                                                           \
  RUN_INTERPOSES map_t name;                                                                       \
  void *name(void *start, size_t bytes, int protection, int flags, int file, off_t offset) {       \
    map_t *next = atomic_load_explicit(&next_map, memory_order_relaxed);                           \
    struct run_site *site =                                                                        \
        may_hold_arrays(protection, flags) ? run_site_for(bytes, MINAS_CALLER) : NULL;             \
    void *mapping = (next ? next : ask_kernel)(start, bytes, protection, flags, file, offset);     \
    if (site && mapping != MAP_FAILED && may_be_placed(protection, flags))                         \
      run_place_mapping(mapping, bytes, site);                                                     \
    return mapping;                                                                                \
  }

DEFINE_MAP(mmap)
DEFINE_MAP(mmap64)

static long remap(uintptr_t start, size_t bytes, size_t new_bytes, int flags, uintptr_t target) {
  return minas_kernel_call(SYS_mremap, (long)start, (long)bytes, (long)new_bytes, flags,
                           (long)target, 0);
}

/* The last page is resized as all of it would be. */
static long remap_by_pages(uintptr_t start, size_t bytes, size_t new_bytes, int flags,
                           uintptr_t target) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t most = bytes < new_bytes ? bytes : new_bytes;
  long result = 0;
  for (size_t at = 0; at < most && !minas_kernel_failed(result); at += page)
    result = remap(start + at, page, at + page < most ? page : new_bytes - at, flags | MREMAP_FIXED,
                   target + at);
  if (minas_kernel_failed(result))
    return result;
  if (bytes > new_bytes)
    minas_kernel_call(SYS_munmap, (long)(start + new_bytes), (long)(bytes - new_bytes), 0, 0, 0, 0);
  return (long)target;
}

/* The kernel moves one mapping at a time, and a policy may have made several of what was one: a
   block ends that the program moves, and so its policies, which leave their mappings where pages
   are. */
RUN_INTERPOSES void *mremap(void *start, size_t bytes, size_t new_bytes, int flags, ...) {
  uintptr_t target = 0;
  if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
    va_list arguments;
    va_start(arguments, flags);
    target = (uintptr_t)va_arg(arguments, void *);
    va_end(arguments);
  }
  bool ended = mai_heap_hooks_end_memory(start, bytes);
  long result = remap((uintptr_t)start, bytes, new_bytes, flags, target);
  if (ended && result == -EFAULT && (flags & MREMAP_MAYMOVE)) {
    if (!(flags & MREMAP_FIXED))
      target =
          (uintptr_t)ask_kernel(NULL, new_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (target != (uintptr_t)MAP_FAILED)
      result = remap_by_pages((uintptr_t)start, bytes, new_bytes, flags, target);
  }
  if (!minas_kernel_failed(result))
    return (void *)result;
  errno = (int)-result;
  return MAP_FAILED;
}

static void find_next_map(void) {
  map_t *next;
  *(void **)&next = dlsym(RTLD_NEXT, "mmap");
  atomic_store(&next_map, next);
}

/*===-- Before the program's own constructors ------------------------------===*/

static void start_recycling(void) {
  if (!minas_next.malloc)
    minas_next_find();
  heap = (struct run_allocator){minas_next.free, minas_next.usable_size};
  run_recycle_start();
}

/* The libraries have begun, MAi among them, and nothing of the program has run. */
static void begin(void) {
  run_sites_prepare();
  find_next_map();
  start_recycling();
  mai_block_names_begin();
  mai_place_named_arrays(&mai_block_names_static);
  run_placing_begin();
}

typedef int main_t(int, char **, char **);

RUN_INTERPOSES int __libc_start_main(main_t *main, int count, char **arguments, void (*init)(void),
                                     void (*fini)(void), void (*linker_fini)(void),
                                     void *stack_end);
int __libc_start_main(main_t *main, int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*linker_fini)(void), void *stack_end) {
  __typeof__(__libc_start_main) *start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  int error = errno; /* what main() begins with */
  begin();
  minas_clear_leftovers(START_STACK_BYTES);
  errno = error;
  return start(main, count, arguments, init, fini, linker_fini, stack_end);
}
