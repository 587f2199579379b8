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
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "callers/key.h"
#include "mai/arrays/blocks.h"
#include "mai/arrays/executable.h"
#include "mai/arrays/overrides.h"
#include "mai/names/block_names.h"
#include "mai/process/call.h"
#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "recycle.h"
#include "runtime/kernel_call.h"
#include "runtime/leftovers.h"
#include "runtime/next_allocator.h"
#include "sites.h"
#include "start_memory.h"

#define INTERPOSES __attribute__((visibility("default")))

enum {
  DEFAULT_LEAST_BYTES = 1 << 20,
  LEAST_BYTES_OF_FILE = 1 << 13, /* for policies in a file */
  START_STACK_BYTES = 32 * 1024
};

/* Before main() begins the library may not be used, and nothing is placed. */
static atomic_bool has_begun;

/* Of smaller blocks nobody asks who wants them, and smaller ones than the second are left alone. */
static atomic_size_t known_from, placed_from = SIZE_MAX;
static size_t page_size;

/*===-- Placing blocks -----------------------------------------------------===*/

static bool has_whole_page(const void *block, size_t bytes) {
  uintptr_t start = (uintptr_t)block;
  uintptr_t first = (start + page_size - 1) / page_size * page_size;
  return start + bytes >= first + page_size;
}

static bool wants_all(void) { return mai_settings()->list || mai_block_names_wanted(); }

/* A list of blocks has all, which then stay where they are.  Where parallel regions name blocks,
   all are known. */
static const mai_policy_t *policy_of(const struct run_site *site) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  const mai_policy_t *policy = site->policy ? site->policy : atomic_load(&site->site.policy);
  if (mai_settings()->list)
    policy = NULL;
  return policy || !wants_all() ? policy : &first_touch;
}

/* Rows may be small. */
static bool is_of_rows(const struct run_site *site) {
  return site->row_policy && !mai_settings()->list;
}

/* To find it asks the system, where nobody knows the place yet.  Sites of small blocks count in the
   order of sites. */
static __attribute__((__noinline__)) struct run_site *find_site(size_t bytes,
                                                                struct run_caller caller) {
  if (mai_is_restricted())
    return NULL;
  MAI_CALL;
  int error = errno;
  struct run_site *site = run_site_of(caller);
  errno = error;
  bool is_row = site && is_of_rows(site);
  size_t least = atomic_load_explicit(&placed_from, memory_order_relaxed);
  if (bytes < least && !is_row) {
    mai_leave_small_block(least);
    return NULL;
  }
  mai_overrides_matter();
  return is_row || (site && policy_of(site)) ? site : NULL;
}

static inline bool is_left_alone(size_t bytes) {
  return bytes < atomic_load_explicit(&known_from, memory_order_relaxed);
}

static inline bool is_before_main(void) {
  return !atomic_load_explicit(&has_begun, memory_order_acquire);
}

/* The site of a block that is to be placed; NULL: it is not. */
static inline struct run_site *site_of(size_t bytes, struct run_caller caller) {
  return is_left_alone(bytes) || is_before_main() || mai_call_is_inside()
             ? NULL
             : find_site(bytes, caller);
}

/* What MAi asks for before main() begins, or what it calls does; NULL: it is somebody else. */
static inline void *start_block(size_t bytes) {
  return is_before_main() && mai_call_is_inside() ? run_start_alloc(bytes) : NULL;
}

/* The blocks of a site as the rows of a matrix, placed when a region is opened.  They are not kept,
   so that libmai, which is behind us, hears of their ends. */
static void add_row(struct run_site *site, void *block, size_t bytes) {
  const struct mai_block how = {
      .name = site->site.key, .file = "mai-run", .policy = site->row_policy};
  mai_place_next_row(block, bytes, &how);
}

/* A block that cannot be placed is as useful as before.  One that is only known is not kept: what
   comes next would not be touched first where it is. */
static void *place(void *block, size_t bytes, struct run_site *site) {
  if (block && site && is_of_rows(site)) {
    add_row(site, block, bytes);
    return block;
  }
  if (!block || !site || !has_whole_page(block, bytes))
    return block;
  MAI_CALL;
  int error = errno;
  const mai_policy_t *policy = policy_of(site);
  if (mai_place_block_of(&site->site, block, bytes, policy) &&
      policy->kind != MAI_POLICY_FIRST_TOUCH)
    run_recycle_note(site, block, bytes);
  errno = error;
  return block;
}

/* What a program maps for its arrays: it is neither given back by free() nor a row. */
static void place_mapping(void *mapping, size_t bytes, struct run_site *site) {
  MAI_CALL;
  int error = errno;
  const mai_policy_t *policy = policy_of(site);
  if (policy)
    mai_place_block_of(&site->site, mapping, bytes, policy);
  errno = error;
}

/* A kept block for a request; NULL where there is none. */
static void *take(struct run_site *site, size_t bytes, size_t alignment) {
  bool is_power = alignment && (alignment & (alignment - 1)) == 0; /* others are refused */
  return site && is_power ? run_recycle_take(site, bytes, alignment) : NULL;
}

/* Where the allocator has no memory, it is asked again once what is kept is free. */
static bool may_ask_again(const void *block) { return !block && run_recycle_release(); }

/*===-- malloc() and the like ----------------------------------------------===*/

#define CALLER                                                                                     \
  ((struct run_caller){__builtin_extract_return_addr(__builtin_return_address(0)),                 \
                       (uintptr_t)__builtin_dwarf_cfa()})

static __attribute__((__noinline__)) void *allocate_placed(size_t bytes, struct run_caller caller) {
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc)
    return minas_bump_alloc(&minas_early, bytes);
  void *block = start_block(bytes);
  if (block)
    return block;
  struct run_site *site = site_of(bytes, caller);
  block = take(site, bytes, 1);
  if (block)
    return block;
  do
    block = minas_next.malloc(bytes);
  while (may_ask_again(block));
  return place(block, bytes, site);
}

/* Of the small blocks there are millions: their way is short. */
INTERPOSES void *malloc(size_t bytes) {
  return minas_next.malloc && is_left_alone(bytes) ? minas_next.malloc(bytes)
                                                   : allocate_placed(bytes, CALLER);
}

INTERPOSES void *calloc(size_t count, size_t size) {
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
  struct run_site *site = site_of(bytes, CALLER);
  block = take(site, bytes, 1);
  if (block)
    return memset(block, 0, bytes);
  do
    block = minas_next.calloc(count, size);
  while (may_ask_again(block));
  return place(block, bytes, site);
}

INTERPOSES void *realloc(void *block, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  if (!minas_next.malloc || minas_bump_has(&minas_early, block))
    return minas_bump_copy(&minas_early, malloc(bytes), block, bytes);
  if (minas_bump_has(&run_start_memory, block))
    return minas_bump_copy(&run_start_memory, malloc(bytes), block, bytes);
  void *start = block ? NULL : start_block(bytes);
  if (start)
    return start;
  struct run_site *site = site_of(bytes, CALLER);
  if (block)
    run_recycle_forget(block);
  return place(minas_next.realloc(block, bytes), bytes, site);
}

static void *align(void *(*allocate)(size_t, size_t), size_t alignment, size_t bytes,
                   struct run_caller caller) {
  struct run_site *site = site_of(bytes, caller);
  void *block = take(site, bytes, alignment);
  if (block)
    return block;
  do
    block = allocate(alignment, bytes);
  while (may_ask_again(block));
  return place(block, bytes, site);
}

INTERPOSES void *aligned_alloc(size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return align(minas_next.aligned_alloc, alignment, bytes, CALLER);
}

INTERPOSES void *memalign(size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  return align(minas_next.memalign, alignment, bytes, CALLER);
}

INTERPOSES int posix_memalign(void **block, size_t alignment, size_t bytes) {
  if (!minas_next.malloc)
    minas_next_find();
  struct run_site *site = site_of(bytes, CALLER);
  void *kept = alignment % sizeof(void *) == 0 ? take(site, bytes, alignment) : NULL;
  int error = 0;
  if (kept)
    *block = kept;
  else
    do
      error = minas_next.posix_memalign(block, alignment, bytes);
    while (error == ENOMEM && run_recycle_release());
  if (!kept && error == 0)
    place(*block, bytes, site);
  return error;
}

/* Who stands behind may listen, also to calls without a block; not yet while that is looked for. */
INTERPOSES void free(void *block) {
  if (minas_bump_has(&minas_early, block) || minas_bump_has(&run_start_memory, block) ||
      (!block && !minas_next.free))
    return;
  if (!minas_next.malloc)
    minas_next_find();
  if (!block || !run_recycle_may_know(block) || !run_recycle_keep(block))
    minas_next.free(block);
}

/* What is kept is memory that the program does not use, too. */
INTERPOSES int malloc_trim(size_t bytes) {
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
  INTERPOSES map_t name;                                                                           \
  void *name(void *start, size_t bytes, int protection, int flags, int file, off_t offset) {       \
    map_t *next = atomic_load_explicit(&next_map, memory_order_relaxed);                           \
    struct run_site *site = may_hold_arrays(protection, flags) ? site_of(bytes, CALLER) : NULL;    \
    void *mapping = (next ? next : ask_kernel)(start, bytes, protection, flags, file, offset);     \
    if (site && mapping != MAP_FAILED && may_be_placed(protection, flags))                         \
      place_mapping(mapping, bytes, site);                                                         \
    return mapping;                                                                                \
  }

DEFINE_MAP(mmap)
DEFINE_MAP(mmap64)

static void find_next_map(void) {
  map_t *next;
  *(void **)&next = dlsym(RTLD_NEXT, "mmap");
  atomic_store(&next_map, next);
}

/*===-- Before the program's own constructors ------------------------------===*/

/* Policies in files are for blocks that are known, and of runs that may have been smaller. */
static size_t default_least_bytes(void) {
  const char *policies = mai_settings()->policy;
  return policies && *policies == '@' ? LEAST_BYTES_OF_FILE : DEFAULT_LEAST_BYTES;
}

static size_t least_bytes(void) {
  const char *text = mai_settings()->least_size;
  char *end;
  unsigned long long bytes = text ? strtoull(text, &end, 10) : 0;
  if (text && *text && *end == '\0')
    return bytes;
  return default_least_bytes();
}

static void start_recycling(void) {
  if (!minas_next.malloc)
    minas_next_find();
  const struct run_allocator behind = {.free = minas_next.free,
                                       .usable_size = minas_next.usable_size};
  run_recycle_start(&behind);
}

/* The libraries have begun, MAi among them, and nothing of the program has run. */
static void begin(void) {
  page_size = (size_t)sysconf(_SC_PAGESIZE);
  run_sites_prepare();
  find_next_map();
  start_recycling();
  mai_block_names_begin();
  mai_place_named_arrays(&mai_block_names_static);
  bool places = mai_overrides_exist() || wants_all();
  size_t least = places ? least_bytes() : SIZE_MAX;
  atomic_store(&placed_from, least);
  atomic_store(&known_from, !places || least < MINAS_SITE_BYTES ? least : MINAS_SITE_BYTES);
  atomic_store(&has_begun, true);
}

typedef int main_t(int, char **, char **);

INTERPOSES int __libc_start_main(main_t *main, int count, char **arguments, void (*init)(void),
                                 void (*fini)(void), void (*linker_fini)(void), void *stack_end);
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
