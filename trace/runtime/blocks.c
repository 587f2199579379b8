/*===-- blocks.c - memory that the program allocated -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "blocks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "borders.h"
#include "callers.h"
#include "callers/asking.h"
#include "trace/system/kernel.h"
#include "trace/system/lock.h"
#include "memory.h"
#include "next.h"
#include "runtime/tbb_allocators.h"
#include "stack.h"
#include "trace/system/text.h"
#include "threads.h"

#define FREED_END (TRACE_FREED_BASE + TRACE_VIEW_BYTES)

enum {
  GROUPS_MAX = 1 << 16,
  DESCRIPTORS_MAX = 1 << 12,
  EARLY_BYTES = 1 << 16,
  LOAN_BYTES = 1 << 12,
  LOCK_TRIES = 1000
};

static struct {
  trace_lock_t lock;
  struct trace_block *table; /* by hash of the start; start 0 is free */
  size_t room, used;
  struct trace_block *groups; /* by hash of what they have in common */
  size_t group_count;
  uintptr_t next_freed;
  uintptr_t descriptors[DESCRIPTORS_MAX]; /* by hash; 0 is free */
  size_t descriptor_count;
} state = {.next_freed = TRACE_FREED_BASE};

static atomic_size_t threshold = SIZE_MAX; /* until counting starts */

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

static void number(struct trace_block *block, const struct minas_callers *callers) {
  const struct trace_context *context = trace_own_context();
  block->chain = callers ? trace_callers_number(callers) : 0;
  trace_callers_count(block->chain, block->bytes);
  block->owner = context ? trace_who_code(context->who) : 0;
  block->rank = trace_callers_take_rank(block->chain, block->owner);
}

static void give_number(const struct trace_block *block) {
  trace_callers_give_rank(block->chain, block->owner, block->rank);
}

static void add_borders(const struct trace_block *block) {
  const uintptr_t ends[] = {block->start, block->start + block->bytes};
  for (size_t i = 0; i < 2; i++) {
    trace_border_add(ends[i]);
    if (trace_border_cuts(ends[i]))
      trace_counters_cut(ends[i], trace_owner());
  }
}

static void remove_borders(const struct trace_block *block) {
  trace_border_remove(block->start);
  trace_border_remove(block->start + block->bytes);
}

/* @param callers NULL: not known */
static void add(const struct trace_block *block, const struct minas_callers *callers) {
  trace_lock(&state.lock);
  if (2 * state.used < state.room || grow()) {
    struct trace_block *slot = slot_of(state.table, state.room, block->start);
    if (slot->start) {
      give_number(slot);
      remove_borders(slot);
    }
    state.used += slot->start == 0;
    *slot = *block;
    number(slot, callers);
    add_borders(slot);
  }
  trace_unlock(&state.lock);
}

static bool take(uintptr_t start, struct trace_block *block) {
  bool found = false;
  trace_lock(&state.lock);
  if (state.room) {
    struct trace_block *slot = slot_of(state.table, state.room, start);
    found = slot->start == start;
    if (found) {
      *block = *slot;
      remove_slot(slot);
      give_number(block);
    }
  }
  trace_unlock(&state.lock);
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

/* What was counted in so many bytes from a block's start on becomes its group's. */
static void move_to_group(const struct trace_block *block, size_t bytes, bool leaves) {
  if (!trace_is_touched(block->start, bytes))
    return;
  trace_lock(&state.lock);
  struct trace_block *group = group_of(block, trace_settings()->page);
  if (group)
    group->instances++;
  trace_unlock(&state.lock);
  if (!group)
    return;
  /* Where blocks begin differs by multiples of 16: keep the lines apart. */
  uintptr_t line = (uintptr_t)1 << MAI_TRACE_LINE_SHIFT;
  uintptr_t to = (group->start & ~(line - 1)) + (block->start & (line - 1));
  trace_counters_move(block->start, bytes, to, group->start + group->bytes, leaves);
}

/* Of a block that is about to be freed. */
static void keep_counts(const struct trace_block *block) {
  move_to_group(block, block->bytes, true);
}

static size_t power_of_two(size_t bytes) {
  return (size_t)1 << (sizeof(long) * 8 - (size_t)__builtin_clzl(bytes | 1));
}

/* What was counted where a new block is, before it was there: in blocks that are too small to be
   known. They have few groups, whatever the sizes of new blocks are. */
static void set_apart(const struct trace_block *block) {
  struct trace_block small = {.start = block->start,
                              .bytes = power_of_two(block->bytes),
                              .kind = TRACE_BLOCK_STACK,
                              .name = "[heap]"};
  trace_pause();
  move_to_group(&small, block->bytes, false);
  trace_resume();
}

/*===-- Descriptors ---------------------------------------------------------===*/

static uintptr_t *descriptor_slot(uintptr_t start) {
  size_t at = hash(start) % DESCRIPTORS_MAX;
  while (state.descriptors[at] && state.descriptors[at] != start)
    at = (at + 1) % DESCRIPTORS_MAX;
  return &state.descriptors[at];
}

static void keep_descriptor(uintptr_t start) {
  uintptr_t *slot = descriptor_slot(start);
  if (*slot || 2 * state.descriptor_count >= DESCRIPTORS_MAX)
    return;
  *slot = start;
  state.descriptor_count++;
}

bool trace_is_descriptor(uintptr_t start) { return *descriptor_slot(start) == start; }

/*===-- The functions that those below stand in front of --------------------===*/

enum allocator {
  MALLOC,
  CALLOC,
  REALLOC,
  FREE,
  POSIX_MEMALIGN,
  ALIGNED_ALLOC,
  MEMALIGN,
  VALLOC,
  ALLOCATORS
};

static const char *const names[ALLOCATORS] = {
    "malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign", "valloc"};

static void *_Atomic allocators[ALLOCATORS];

/* Memory for what a function of the C library allocates while it is called from here: neither the
   program's allocator, which may be in the middle of something, nor one that is being looked up. */
struct loan {
  char *bytes;
  size_t room;
  atomic_size_t used;
};

/* dlsym() may keep what it has allocated. */
static _Alignas(16) char early_bytes[EARLY_BYTES];
static struct loan early = {.bytes = early_bytes, .room = sizeof early_bytes};

static __thread struct loan *lender __attribute__((tls_model("initial-exec")));

static void *borrow(size_t bytes) {
  size_t rounded = (bytes + 31) & ~(size_t)15;
  size_t at = atomic_fetch_add(&lender->used, rounded);
  if (bytes > lender->room || at + rounded > lender->room) {
    errno = ENOMEM;
    return NULL;
  }
  *(size_t *)(uintptr_t)(lender->bytes + at) = bytes;
  return memset(lender->bytes + at + 16, 0, bytes);
}

static bool is_lent_by(const struct loan *loan, const void *pointer) {
  return loan && (uintptr_t)pointer - (uintptr_t)loan->bytes < loan->room;
}

static bool is_lent(const void *pointer) {
  return is_lent_by(&early, pointer) || is_lent_by(lender, pointer);
}

static size_t lent_bytes(const void *pointer) { return *(const size_t *)((uintptr_t)pointer - 16); }

static void *look_up(enum allocator which) {
  struct loan *before = lender;
  lender = &early;
  void *function = trace_next(&allocators[which], names[which]);
  lender = before;
  return function;
}

static void *next_allocator(enum allocator which) {
  void *function = atomic_load_explicit(&allocators[which], memory_order_relaxed);
  return function ? function : look_up(which);
}

#define NEXT_ALLOCATOR(which, function) ((__typeof__(&(function)))next_allocator(which))

/* At the start, so that it is not done in the middle of what a thread allocates. */
static void find_allocators(void) {
  for (enum allocator which = 0; which < ALLOCATORS; which++)
    next_allocator(which);
}

/*===-- What blocks come from -----------------------------------------------===*/

/* The library itself allocates, or a function here calls another. */
static __thread unsigned inside __attribute__((tls_model("initial-exec")));

/* For MINAS_ASK(). */
static __thread uintptr_t asked_from __attribute__((tls_model("initial-exec")));

void trace_blocks_start(size_t smallest) {
  find_allocators();
  atomic_store(&threshold, smallest);
}

/* A block, until it is known who allocated it. */
static void note_block(void *argument) {
  const struct trace_block *block = argument;
  struct minas_callers callers;
  trace_callers_find(block->site, &callers);
  add(block, &callers);
  set_apart(block);
}

static void note(const void *start, size_t bytes, struct minas_caller caller,
                 enum trace_block_kind kind, const char *name) {
  if (!start || inside || minas_is_asked_inside(asked_from, caller) ||
      bytes < atomic_load_explicit(&threshold, memory_order_relaxed))
    return;
  struct trace_block block = {
      .start = (uintptr_t)start, .bytes = bytes, .site = (uintptr_t)caller.code, .kind = kind};
  if (name)
    trace_format(block.name, sizeof block.name, "%s", name);
  inside++;
  trace_on_stack(note_block, &block);
  inside--;
}

/* A block that is about to be freed, or to be moved: then who touched its pages is kept. */
struct leaving {
  uintptr_t start;
  bool moves;
  struct trace_touchers *touchers;
};

static void forget_block(void *argument) {
  struct leaving *leaving = argument;
  struct trace_block block;
  if (!take(leaving->start, &block))
    return;
  trace_pause();
  if (leaving->moves)
    leaving->touchers = trace_touchers_of(block.start, block.bytes);
  keep_counts(&block);
  remove_borders(&block);
  trace_resume();
}

static void let_go(struct leaving *leaving) {
  bool none = atomic_load_explicit(&threshold, memory_order_relaxed) == SIZE_MAX;
  if (!leaving->start || inside || none)
    return;
  inside++;
  trace_on_stack(forget_block, leaving);
  inside--;
}

static void forget(void *start) {
  struct leaving leaving = {.start = (uintptr_t)start};
  let_go(&leaving);
}

/* The C library moves pages of large blocks, and copies small ones. */
static void arrive(const struct leaving *leaving, const void *memory, size_t bytes) {
  const struct trace_context *context = trace_own_context();
  if (!leaving->touchers)
    return;
  if (memory && context)
    trace_touched_before(leaving->touchers, (uintptr_t)memory, bytes, context);
  trace_memory_free(leaving->touchers, leaving->touchers->bytes);
}

/*===-- Names that the program tells ----------------------------------------===*/

struct naming {
  uintptr_t start;
  const char *name;
  uintptr_t descriptor;
};

static void name_block(void *argument) {
  const struct naming *told = argument;
  trace_lock(&state.lock);
  struct trace_block *block = state.room ? slot_of(state.table, state.room, told->start) : NULL;
  if (block && block->start && !block->name[0])
    trace_format(block->name, sizeof block->name, "%s", told->name);
  if (told->descriptor)
    keep_descriptor(told->descriptor);
  trace_unlock(&state.lock);
}

TRACE_INTERPOSES void mai_trace_name_block(const void *start, const char *name,
                                           const void *descriptor);

/* What gcc's plugin has programs in Fortran call behind each allocation.  @param descriptor of the
   array, where that is a static variable; else NULL */
void mai_trace_name_block(const void *start, const char *name, const void *descriptor) {
  if (!start || inside || atomic_load_explicit(&threshold, memory_order_relaxed) == SIZE_MAX)
    return;
  struct naming told = {(uintptr_t)start, name, (uintptr_t)descriptor};
  inside++;
  trace_on_stack(name_block, &told);
  inside--;
}

bool trace_own_stack(uintptr_t *low, uintptr_t *high) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t bytes = 0;
  _Alignas(16) char lent[LOAN_BYTES];
  struct loan loan = {.bytes = lent, .room = sizeof lent};
  struct kernel_signals before = kernel_block_signals(); /* a handler may keep what it allocates */
  lender = &loan;
  bool known = pthread_getattr_np(pthread_self(), &attributes) == 0;
  if (known) {
    pthread_attr_getstack(&attributes, &start, &bytes);
    pthread_attr_destroy(&attributes);
  }
  lender = NULL;
  kernel_unblock_signals(before);
  *low = (uintptr_t)start;
  *high = *low + bytes;
  return known;
}

void trace_block_stack(struct trace_who who, uintptr_t low, uintptr_t top) {
  struct trace_block block = {.kind = TRACE_BLOCK_STACK, .start = low, .bytes = top - low};
  trace_format(block.name, sizeof block.name, "[stack of %sthread %u]",
               who.kind == TRACE_OTHER ? "other " : "", who.number);
  inside++;
  add(&block, NULL);
  inside--;
}

/* Calls `visit` for all that `table` has. */
static void visit_all(const struct trace_block *table, size_t room,
                      void (*visit)(const struct trace_block *block, void *context),
                      void *context) {
  for (size_t i = 0; table && i < room; i++)
    if (table[i].start)
      visit(&table[i], context);
}

/* What `from` has, one behind the other. @return how many */
static size_t copy_used(struct trace_block *to, const struct trace_block *from, size_t room) {
  size_t count = 0;
  for (size_t i = 0; from && i < room; i++)
    if (from[i].start)
      to[count++] = from[i];
  return count;
}

/* Blocks are visited by what is known of them now: programs go on allocating, and what `visit` does
   may wait for one that does. @return whether there is memory for that */
static bool visit_copy(void (*visit)(const struct trace_block *block, void *context),
                       void *context) {
  size_t room = state.used + state.group_count;
  struct trace_block *copy = trace_memory((room + 1) * sizeof *copy);
  size_t count = copy ? copy_used(copy, state.table, state.room) : 0;
  count += copy ? copy_used(copy + count, state.groups, GROUPS_MAX) : 0;
  trace_unlock(&state.lock);
  visit_all(copy, count, visit, context);
  if (copy)
    trace_memory_free(copy, (room + 1) * sizeof *copy);
  return copy;
}

void trace_blocks_visit(void (*visit)(const struct trace_block *block, void *context),
                        void *context) {
  for (int tries = 0; tries < LOCK_TRIES; tries++) {
    if (trace_trylock(&state.lock) && visit_copy(visit, context))
      return;
    minas_kernel_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
  /* A program that dies while it allocates does not get stuck here. */
  visit_all(state.table, state.room, visit, context);
  visit_all(state.groups, GROUPS_MAX, visit, context);
}

void trace_blocks_hide(void) { inside++; }
void trace_blocks_show(void) { inside--; }

void trace_blocks_in_child(void) {
  atomic_store(&state.lock, 0);
  trace_borders_in_child();
}

/*===-- malloc() and the like -----------------------------------------------===*/

#define PASS_ON(bytes, call)                                                                       \
  MINAS_ASK(asked_from, (bytes) >= atomic_load_explicit(&threshold, memory_order_relaxed), call)

TRACE_INTERPOSES void *malloc(size_t bytes);
TRACE_INTERPOSES void *calloc(size_t count, size_t bytes);
TRACE_INTERPOSES void *realloc(void *old, size_t bytes);
TRACE_INTERPOSES void free(void *memory);
TRACE_INTERPOSES int posix_memalign(void **memory, size_t alignment, size_t bytes);
TRACE_INTERPOSES void *aligned_alloc(size_t alignment, size_t bytes);
TRACE_INTERPOSES void *memalign(size_t alignment, size_t bytes);
TRACE_INTERPOSES void *valloc(size_t bytes);

void *malloc(size_t bytes) {
  if (lender)
    return borrow(bytes);
  void *memory = PASS_ON(bytes, NEXT_ALLOCATOR(MALLOC, malloc)(bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *calloc(size_t count, size_t bytes) {
  if (lender)
    return count && bytes > lender->room / count ? NULL : borrow(count * bytes);
  void *memory = PASS_ON(count * bytes, NEXT_ALLOCATOR(CALLOC, calloc)(count, bytes));
  note(memory, count * bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void free(void *memory) {
  /* dlsym() frees what it has said of the last failure, also while free() itself is looked up. */
  if (is_lent(memory) || lender == &early)
    return;
  forget(memory);
  NEXT_ALLOCATOR(FREE, free)(memory);
}

/* realloc() of lent memory. */
static void *outgrow(const void *old, size_t bytes) {
  void *memory = lender ? borrow(bytes) : NEXT_ALLOCATOR(MALLOC, malloc)(bytes);
  if (memory)
    memcpy(memory, old, lent_bytes(old) < bytes ? lent_bytes(old) : bytes);
  return memory;
}

void *realloc(void *old, size_t bytes) {
  if (is_lent(old))
    return outgrow(old, bytes);
  if (lender && !old)
    return borrow(bytes);
  struct leaving leaving = {.start = (uintptr_t)old, .moves = true};
  let_go(&leaving);
  void *memory = PASS_ON(bytes, NEXT_ALLOCATOR(REALLOC, realloc)(old, bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  arrive(&leaving, memory, bytes);
  return memory;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  int result =
      PASS_ON(bytes, NEXT_ALLOCATOR(POSIX_MEMALIGN, posix_memalign)(memory, alignment, bytes));
  if (result == 0)
    note(*memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return result;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = PASS_ON(bytes, NEXT_ALLOCATOR(ALIGNED_ALLOC, aligned_alloc)(alignment, bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *memalign(size_t alignment, size_t bytes) {
  void *memory = PASS_ON(bytes, NEXT_ALLOCATOR(MEMALIGN, memalign)(alignment, bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *valloc(size_t bytes) {
  void *memory = PASS_ON(bytes, NEXT_ALLOCATOR(VALLOC, valloc)(bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

/*===-- TBB's allocator -----------------------------------------------------===*/

/* To look for them allocates. */
static const struct minas_scalable_allocator *find_scalable(void) {
  inside++;
  const struct minas_scalable_allocator *next = minas_scalable();
  inside--;
  return next;
}

void *scalable_malloc(size_t bytes) {
  void *memory = PASS_ON(bytes, find_scalable()->malloc(bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *scalable_calloc(size_t count, size_t bytes) {
  void *memory = PASS_ON(count * bytes, find_scalable()->calloc(count, bytes));
  note(memory, count * bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

int scalable_posix_memalign(void **memory, size_t alignment, size_t bytes) {
  int result = PASS_ON(bytes, find_scalable()->posix_memalign(memory, alignment, bytes));
  if (result == 0)
    note(*memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return result;
}

void *scalable_aligned_malloc(size_t bytes, size_t alignment) {
  void *memory = PASS_ON(bytes, find_scalable()->aligned_malloc(bytes, alignment));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *scalable_realloc(void *old, size_t bytes) {
  const struct minas_scalable_allocator *next = find_scalable();
  struct leaving leaving = {.start = (uintptr_t)old, .moves = true};
  let_go(&leaving);
  void *memory = PASS_ON(bytes, next->realloc(old, bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  arrive(&leaving, memory, bytes);
  return memory;
}

void *scalable_aligned_realloc(void *old, size_t bytes, size_t alignment) {
  const struct minas_scalable_allocator *next = find_scalable();
  struct leaving leaving = {.start = (uintptr_t)old, .moves = true};
  let_go(&leaving);
  void *memory = PASS_ON(bytes, next->aligned_realloc(old, bytes, alignment));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  arrive(&leaving, memory, bytes);
  return memory;
}

void scalable_free(void *memory) {
  const struct minas_scalable_allocator *next = find_scalable();
  forget(memory);
  next->free(memory);
}

void scalable_aligned_free(void *memory) {
  const struct minas_scalable_allocator *next = find_scalable();
  forget(memory);
  next->free(memory);
}

size_t scalable_msize(void *memory) { return find_scalable()->usable_size(memory); }

/* What `delete` ends, where libtbbmalloc_proxy has malloc() be TBB's. */
void minas_tbb_safer_free(void *memory, void (*other)(void *)) {
  const struct minas_scalable_allocator *next = find_scalable();
  forget(memory);
  next->safer_free(memory, other);
}

/* As tbb::cache_aligned_allocator and the like call them. */

void *minas_tbb_allocate(size_t bytes) {
  void *memory = PASS_ON(bytes, MINAS_TBB_NEXT(minas_tbb_allocate_t, MINAS_TBB_ALLOCATE)(bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void *minas_tbb_allocate_aligned(size_t bytes) {
  void *memory =
      PASS_ON(bytes, MINAS_TBB_NEXT(minas_tbb_allocate_t, MINAS_TBB_ALLOCATE_ALIGNED)(bytes));
  note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_HEAP, NULL);
  return memory;
}

void minas_tbb_free(void *memory) {
  forget(memory);
  MINAS_TBB_NEXT(minas_tbb_free_t, MINAS_TBB_FREE)(memory);
}

void minas_tbb_free_aligned(void *memory) {
  forget(memory);
  MINAS_TBB_NEXT(minas_tbb_free_t, MINAS_TBB_FREE_ALIGNED)(memory);
}

/*===-- mmap() --------------------------------------------------------------===*/

/* What a system call returns, as the C library tells it. */
static long tell(long result) {
  if (!minas_kernel_failed(result))
    return result;
  errno = (int)-result;
  return -1;
}

#define DEFINE_MMAP(name)                                                                          \
  void *name(void *start, size_t bytes, int protection, int flags, int file, off_t offset) {       \
    void *memory = (void *)tell(kernel_mmap(start, bytes, protection, flags, file, offset));       \
    if (memory != MAP_FAILED && (protection & PROT_WRITE) && !(flags & MAP_FIXED))                 \
      note(memory, bytes, MINAS_CALLER, TRACE_BLOCK_MAPPING, NULL);                                \
    return memory;                                                                                 \
  }

DEFINE_MMAP(mmap)
DEFINE_MMAP(mmap64)

int munmap(void *start, size_t bytes) {
  forget(start);
  return (int)tell(kernel_munmap(start, bytes));
}

/*===-- MAi -----------------------------------------------------------------===*/

TRACE_INTERPOSES void *mai_alloc(size_t count, size_t size, const void *policy, const char *name);
TRACE_INTERPOSES void *mai_alloc_bind(size_t count, size_t size, unsigned node);
TRACE_INTERPOSES void *mai_alloc_block(size_t count, size_t size);
TRACE_INTERPOSES void *mai_alloc_cyclic(size_t count, size_t size);
TRACE_INTERPOSES int mai_free(void *array);

/* MAi may be a plugin's, or not there: a program that only asks whether it is, finds it here. */
static void *next_of_mai(void *_Atomic *known, const char *name) {
  inside++;
  void *next = trace_next_anywhere(known, name);
  inside--;
  if (!next)
    errno = ENOSYS;
  return next;
}

#define NEXT_OF_MAI(function)                                                                      \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (__typeof__(&(function)))next_of_mai(&known, #function);                                       \
  }))

/* MAi's own mapping of the array is not to be known instead.
   NOLINTBEGIN(bugprone-macro-parentheses): parameters are declarations */
#define DEFINE_MAI_ALLOC(name, parameters, label, ...)                                             \
  void *name parameters {                                                                          \
    __typeof__(&(name)) next = NEXT_OF_MAI(name);                                                  \
    inside++;                                                                                      \
    void *array = next ? next(__VA_ARGS__) : NULL;                                                 \
    inside--;                                                                                      \
    note(array, count *size, MINAS_CALLER, TRACE_BLOCK_MAI, label);                                \
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
  __typeof__(&mai_free) next = NEXT_OF_MAI(mai_free);
  forget(array);
  inside++;
  int result = next ? next(array) : -1;
  inside--;
  return result;
}
