/*===-- blocks.c - memory that the program allocated -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "blocks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "callers.h"
#include "memory.h"
#include "next.h"
#include "pages.h"
#include "threads.h"

/* Where no Linux program has memory. */
#define FREED_BASE ((uintptr_t)1 << 44)
#define FREED_END ((uintptr_t)1 << 45)

enum { GROUPS_MAX = 1 << 16, RANKS_MAX = 1 << 13, EARLY_BYTES = 1 << 16 };

static struct {
  pthread_mutex_t lock;
  struct trace_block *table; /* by hash of the start; start 0 is free */
  size_t room, used;
  struct trace_block *groups; /* by hash of what they have in common */
  size_t group_count;
  uintptr_t next_freed;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .next_freed = FREED_BASE};

static atomic_size_t threshold; /* 0: not started */

static size_t hash(uintptr_t value) { return (size_t)((value >> 4) * 0x9e3779b97f4a7c15U >> 20); }

/*===-- The table of blocks -------------------------------------------------===*/

static struct trace_block *slot_of(struct trace_block *table, size_t room, uintptr_t start) {
  size_t at = hash(start) & (room - 1);
  while (table[at].start && table[at].start != start)
    at = (at + 1) & (room - 1);
  return &table[at];
}

static bool grow(void) {
  size_t room = state.room ? 2 * state.room : 1024;
  struct trace_block *table = trace_memory(room * sizeof *table);
  if (!table)
    return false;
  for (size_t i = 0; i < state.room; i++)
    if (state.table[i].start)
      *slot_of(table, room, state.table[i].start) = state.table[i];
  if (state.table)
    trace_memory_free(state.table, state.room * sizeof *state.table);
  state.table = table;
  state.room = room;
  return true;
}

/* Closes the gap that a removed block leaves in the run of slots after it. */
static void remove_slot(struct trace_block *slot) {
  size_t mask = state.room - 1;
  size_t gap = (size_t)(slot - state.table);
  for (size_t at = (gap + 1) & mask; state.table[at].start; at = (at + 1) & mask) {
    size_t home = hash(state.table[at].start) & mask;
    if (((at - home) & mask) >= ((at - gap) & mask)) {
      state.table[gap] = state.table[at];
      gap = at;
    }
  }
  state.table[gap].start = 0;
  state.used--;
}

static void count_up(struct trace_block *block, const struct trace_callers *callers) {
  block->chain = callers ? trace_callers_number(callers) : 0;
  unsigned *blocks = trace_callers_blocks(block->chain);
  block->rank = block->chain && *blocks < RANKS_MAX ? *blocks : 0;
  ++*blocks;
}

static void count_down(const struct trace_block *block) { --*trace_callers_blocks(block->chain); }

/* @param callers NULL: not known */
static void add(const struct trace_block *block, const struct trace_callers *callers) {
  pthread_mutex_lock(&state.lock);
  if (2 * state.used < state.room || grow()) {
    struct trace_block *slot = slot_of(state.table, state.room, block->start);
    if (slot->start)
      count_down(slot);
    state.used += slot->start == 0;
    *slot = *block;
    count_up(slot, callers);
  }
  pthread_mutex_unlock(&state.lock);
}

static bool take(uintptr_t start, struct trace_block *block) {
  bool found = false;
  pthread_mutex_lock(&state.lock);
  if (state.room) {
    struct trace_block *slot = slot_of(state.table, state.room, start);
    found = slot->start == start;
    if (found) {
      *block = *slot;
      remove_slot(slot);
      count_down(block);
    }
  }
  pthread_mutex_unlock(&state.lock);
  return found;
}

/*===-- Freed blocks --------------------------------------------------------===*/

/* The group of a block, made when it is the first; NULL when there are too many. */
static struct trace_block *group_of(const struct trace_block *block, size_t page) {
  if (!state.groups && !(state.groups = trace_memory(GROUPS_MAX * sizeof *state.groups)))
    return NULL;
  uintptr_t calls = ((uintptr_t)block->chain << 32) + ((uintptr_t)block->rank << 6);
  size_t at = hash(block->site * 31 + block->bytes + calls) % GROUPS_MAX;
  for (; state.groups[at].start; at = (at + 1) % GROUPS_MAX) {
    const struct trace_block *group = &state.groups[at];
    if (group->site == block->site && group->bytes == block->bytes && group->kind == block->kind &&
        group->chain == block->chain && group->rank == block->rank &&
        strcmp(group->name, block->name) == 0)
      return &state.groups[at];
  }
  uintptr_t start = state.next_freed + (block->start & (page - 1));
  if (2 * state.group_count >= GROUPS_MAX || block->bytes > FREED_END - start - 2 * page)
    return NULL;
  state.group_count++;
  state.next_freed = ((start + block->bytes) | (page - 1)) + 1 + page;
  state.groups[at] = *block;
  state.groups[at].start = start;
  state.groups[at].instances = 0;
  return &state.groups[at];
}

/* What was counted in a block that is about to be freed becomes its group's. */
static void keep_counts(const struct trace_block *block) {
  size_t page = trace_start()->page;
  pthread_mutex_lock(&state.lock);
  struct trace_block *group = group_of(block, page);
  if (group)
    group->instances++;
  pthread_mutex_unlock(&state.lock);
  if (!group)
    return;
  size_t pages = (block->bytes + (block->start & (page - 1)) + page - 1) / page;
  int16_t *nodes = trace_memory(pages * sizeof *nodes);
  if (!nodes)
    return;
  trace_nodes_of_range(block->start & ~(page - 1), pages, page, nodes);
  /* Where blocks begin differs by multiples of 16: keep the lines apart. */
  uintptr_t line = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  uintptr_t to = (group->start & ~(line - 1)) + (block->start & (line - 1));
  trace_counters_move(block->start, block->bytes, to, nodes);
  trace_memory_free(nodes, pages * sizeof *nodes);
}

/*===-- What blocks come from -----------------------------------------------===*/

/* Where operator new was called, while it calls malloc(). */
static __thread uintptr_t site_of_new __attribute__((tls_model("initial-exec")));
/* The library itself allocates, or a function here calls another. */
static __thread unsigned inside __attribute__((tls_model("initial-exec")));

static size_t smallest(void) {
  size_t bytes = atomic_load_explicit(&threshold, memory_order_relaxed);
  if (bytes)
    return bytes;
  inside++;
  bytes = trace_start()->block;
  atomic_store(&threshold, bytes);
  inside--;
  return bytes;
}

static void note(const void *start, size_t bytes, void *caller, enum trace_block_kind kind,
                 const char *name) {
  if (!start || inside || bytes < smallest())
    return;
  struct trace_block block = {
      .start = (uintptr_t)start, .bytes = bytes, .site = (uintptr_t)caller, .kind = kind};
  struct trace_callers callers;
  if (kind == TRACE_BLOCK_HEAP && site_of_new)
    block.site = site_of_new;
  if (name)
    snprintf(block.name, sizeof block.name, "%s", name);
  inside++;
  trace_callers_find(block.site, &callers);
  inside--;
  add(&block, &callers);
}

static void forget(const void *start) {
  struct trace_block block;
  if (!start || inside || !atomic_load_explicit(&threshold, memory_order_relaxed) ||
      !take((uintptr_t)start, &block))
    return;
  inside++;
  trace_pause();
  keep_counts(&block);
  trace_resume();
  inside--;
}

void trace_block_stack(struct trace_who who, const void *top) {
  pthread_attr_t attributes;
  struct trace_block block = {.kind = TRACE_BLOCK_STACK};
  void *start = NULL;
  inside++;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &start, &block.bytes);
    pthread_attr_destroy(&attributes);
    block.start = (uintptr_t)start;
    if ((uintptr_t)top - block.start < block.bytes)
      block.bytes = (uintptr_t)top - block.start;
    snprintf(block.name, sizeof block.name, "[stack of %sthread %u]",
             who.kind == TRACE_OTHER ? "other " : "", who.number);
    add(&block, NULL);
  }
  inside--;
}

void trace_blocks_visit(void (*visit)(const struct trace_block *block, void *context),
                        void *context) {
  /* A program that dies while it allocates does not get stuck here. */
  bool locked = pthread_mutex_trylock(&state.lock) == 0;
  for (size_t i = 0; i < state.room; i++)
    if (state.table[i].start)
      visit(&state.table[i], context);
  for (size_t i = 0; state.groups && i < GROUPS_MAX; i++)
    if (state.groups[i].start)
      visit(&state.groups[i], context);
  if (locked)
    pthread_mutex_unlock(&state.lock);
}

void trace_blocks_hide(void) { inside++; }
void trace_blocks_show(void) { inside--; }

void trace_blocks_in_child(void) { pthread_mutex_init(&state.lock, NULL); }

/*===-- malloc() and the like -----------------------------------------------===*/

/* dlsym() may allocate while the first call of malloc() is looked up. */
static struct {
  _Alignas(16) char bytes[EARLY_BYTES];
  atomic_size_t used;
} early;

static __thread bool looking_up __attribute__((tls_model("initial-exec")));

static void *early_memory(size_t bytes) {
  size_t rounded = (bytes + 31) & ~(size_t)15;
  size_t at = atomic_fetch_add(&early.used, rounded);
  if (bytes > EARLY_BYTES || at + rounded > EARLY_BYTES) {
    errno = ENOMEM;
    return NULL;
  }
  *(size_t *)(uintptr_t)(early.bytes + at) = bytes;
  return early.bytes + at + 16;
}

static bool is_early(const void *pointer) {
  uintptr_t offset = (uintptr_t)pointer - (uintptr_t)early.bytes;
  return offset < EARLY_BYTES;
}

static void *look_up(void *_Atomic *known, const char *name) {
  void *function = atomic_load_explicit(known, memory_order_relaxed);
  if (function)
    return function;
  looking_up = true;
  function = trace_next(known, name);
  looking_up = false;
  return function;
}

#define NEXT_ALLOCATOR(function)                                                                   \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (__typeof__(&(function)))look_up(&known, #function);                                           \
  }))

TRACE_INTERPOSES void *malloc(size_t bytes);
TRACE_INTERPOSES void *calloc(size_t count, size_t bytes);
TRACE_INTERPOSES void *realloc(void *old, size_t bytes);
TRACE_INTERPOSES void free(void *memory);
TRACE_INTERPOSES int posix_memalign(void **memory, size_t alignment, size_t bytes);
TRACE_INTERPOSES void *aligned_alloc(size_t alignment, size_t bytes);
TRACE_INTERPOSES void *memalign(size_t alignment, size_t bytes);
TRACE_INTERPOSES void *valloc(size_t bytes);

void *malloc(size_t bytes) {
  if (looking_up)
    return early_memory(bytes);
  void *memory = NEXT_ALLOCATOR(malloc)(bytes);
  note(memory, bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *calloc(size_t count, size_t bytes) {
  if (looking_up)
    return count && bytes > EARLY_BYTES / count ? NULL : early_memory(count * bytes);
  void *memory = NEXT_ALLOCATOR(calloc)(count, bytes);
  note(memory, count * bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void free(void *memory) {
  if (is_early(memory))
    return;
  forget(memory);
  NEXT_ALLOCATOR(free)(memory);
}

static void *leave_early(const void *old, size_t bytes) {
  size_t old_bytes = *(const size_t *)((uintptr_t)old - 16);
  void *memory = NEXT_ALLOCATOR(malloc)(bytes);
  if (memory)
    memcpy(memory, old, old_bytes < bytes ? old_bytes : bytes);
  return memory;
}

void *realloc(void *old, size_t bytes) {
  if (is_early(old))
    return leave_early(old, bytes);
  if (looking_up)
    return early_memory(bytes);
  forget(old);
  void *memory = NEXT_ALLOCATOR(realloc)(old, bytes);
  note(memory, bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return memory;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  int result = NEXT_ALLOCATOR(posix_memalign)(memory, alignment, bytes);
  if (result == 0)
    note(*memory, bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return result;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = NEXT_ALLOCATOR(aligned_alloc)(alignment, bytes);
  note(memory, bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *memalign(size_t alignment, size_t bytes) {
  void *memory = NEXT_ALLOCATOR(memalign)(alignment, bytes);
  note(memory, bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *valloc(size_t bytes) {
  void *memory = NEXT_ALLOCATOR(valloc)(bytes);
  note(memory, bytes, __builtin_return_address(0), TRACE_BLOCK_HEAP, NULL);
  return memory;
}

/*===-- operator new, by its names for the linker ---------------------------===*/

/* Also when it throws. */
static void restore_site(const uintptr_t *before) { site_of_new = *before; }

#define DEFINE_NEW(name, parameters, ...)                                                          \
  TRACE_INTERPOSES void *name parameters;                                                          \
  void *name parameters {                                                                          \
    __attribute__((cleanup(restore_site))) uintptr_t before = site_of_new;                         \
    if (!site_of_new) /* operator new[] calls operator new */                                      \
      site_of_new = (uintptr_t)__builtin_return_address(0);                                        \
    return NEXT_ALLOCATOR(name)(__VA_ARGS__);                                                      \
  }

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are given */
#if __SIZEOF_POINTER__ == 8
DEFINE_NEW(_Znwm, (size_t bytes), bytes)
DEFINE_NEW(_Znam, (size_t bytes), bytes)
DEFINE_NEW(_ZnwmSt11align_val_t, (size_t bytes, size_t alignment), bytes, alignment)
DEFINE_NEW(_ZnamSt11align_val_t, (size_t bytes, size_t alignment), bytes, alignment)
#endif
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/*===-- mmap() --------------------------------------------------------------===*/

static void *map(void *start, size_t bytes, int protection, int flags, int file, off_t offset) {
  return (void *)syscall(SYS_mmap, start, bytes, protection, flags, file, offset);
}

#define DEFINE_MMAP(name)                                                                          \
  void *name(void *start, size_t bytes, int protection, int flags, int file, off_t offset) {       \
    void *memory = map(start, bytes, protection, flags, file, offset);                             \
    if (memory != MAP_FAILED && (protection & PROT_WRITE) && !(flags & MAP_FIXED))                 \
      note(memory, bytes, __builtin_return_address(0), TRACE_BLOCK_MAPPING, NULL);                 \
    return memory;                                                                                 \
  }

DEFINE_MMAP(mmap)
DEFINE_MMAP(mmap64)

int munmap(void *start, size_t bytes) {
  forget(start);
  return (int)syscall(SYS_munmap, start, bytes);
}

/*===-- MAi -----------------------------------------------------------------===*/

TRACE_INTERPOSES void *mai_alloc(size_t count, size_t size, const void *policy, const char *name);
TRACE_INTERPOSES void *mai_alloc_bind(size_t count, size_t size, unsigned node);
TRACE_INTERPOSES void *mai_alloc_block(size_t count, size_t size);
TRACE_INTERPOSES void *mai_alloc_cyclic(size_t count, size_t size);
TRACE_INTERPOSES int mai_free(void *array);

/* MAi's own mapping of the array is not to be known instead.
   NOLINTBEGIN(bugprone-macro-parentheses): parameters are declarations */
#define DEFINE_MAI_ALLOC(name, parameters, label, ...)                                             \
  void *name parameters {                                                                          \
    smallest();                                                                                    \
    inside++;                                                                                      \
    void *array = TRACE_NEXT(name)(__VA_ARGS__);                                                   \
    inside--;                                                                                      \
    note(array, count *size, __builtin_return_address(0), TRACE_BLOCK_MAI, label);                 \
    return array;                                                                                  \
  }

DEFINE_MAI_ALLOC(mai_alloc, (size_t count, size_t size, const void *policy, const char *name), name,
                 count, size, policy, name)
DEFINE_MAI_ALLOC(mai_alloc_bind, (size_t count, size_t size, unsigned node), NULL, count, size,
                 node)
DEFINE_MAI_ALLOC(mai_alloc_block, (size_t count, size_t size), NULL, count, size)
DEFINE_MAI_ALLOC(mai_alloc_cyclic, (size_t count, size_t size), NULL, count, size)
/* NOLINTEND(bugprone-macro-parentheses) */

int mai_free(void *array) {
  forget(array);
  inside++;
  int result = TRACE_NEXT(mai_free)(array);
  inside--;
  return result;
}
