/*===-- registry.c - the arrays that MAi knows -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A skip list (W. Pugh, "Skip lists: a probabilistic alternative to balanced trees", 1990), ordered
 * by address.  An array is in it from one store on, that to the list of all, so that a child of
 * fork() finds a list that makes sense whatever another thread was doing.
 */
#include "registry.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mai/memory/budget.h"
#include "mai/process/recorder.h"
#include "runtime/heap.h"
#include "runtime/lock.h"
#include "runtime/system.h"

enum { MOST_LEVELS = 12 }; /* each has a quarter of the one below: enough for 16 million arrays */

static struct {
  struct minas_lock lock;
  struct mai_array *first[MOST_LEVELS];
  struct mai_array *changing; /* is being made the same as `changed`; NULL: none is */
  const struct mai_array *changed;
  uint64_t seed;
  _Atomic uint32_t releases; /* threads that wait for an array sleep on it */
  _Atomic uint32_t waiting;
} registry = {.lock = MINAS_LOCK_INITIALISER, .seed = 1};

static atomic_ulong changes;

unsigned long mai_registry_changes(void) {
  return atomic_load_explicit(&changes, memory_order_acquire);
}

/*===-- One array ----------------------------------------------------------===*/

static void name_by_address(uintptr_t start, char *name, size_t size) {
  snprintf(name, size, "array@0x%" PRIxPTR, start);
}

/* One of four goes on to the next level. */
static unsigned draw_levels(void) {
  uint64_t draw = __atomic_add_fetch(&registry.seed, 0x9e3779b97f4a7c15U, __ATOMIC_RELAXED);
  draw = (draw ^ draw >> 30) * 0xbf58476d1ce4e5b9U;
  draw ^= draw >> 27;
  unsigned levels = 1;
  for (; levels < MOST_LEVELS && (draw & 3) == 0; draw >>= 2)
    levels++;
  return levels;
}

struct mai_array *mai_array_new(const char *name, const void *start) {
  static atomic_ulong made;
  char by_address[32];
  unsigned levels = draw_levels();
  struct mai_array *array = minas_alloc(sizeof *array + levels * sizeof(struct mai_array *));
  if (!array)
    return NULL;
  name_by_address((uintptr_t)start, by_address, sizeof by_address);
  array->levels = levels;
  array->number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
  array->name = minas_copy_text(name ? name : by_address);
  if (array->name)
    return array;
  minas_free(array);
  return NULL;
}

int mai_array_name_by_address(struct mai_array *array) {
  char by_address[32];
  name_by_address(array->shape.start, by_address, sizeof by_address);
  minas_free(array->name);
  array->name = minas_copy_text(by_address);
  return array->name ? 0 : -1;
}

bool mai_array_is_nameless(const struct mai_array *array) {
  char by_address[32];
  name_by_address(array->shape.start, by_address, sizeof by_address);
  return strcmp(array->name, by_address) == 0;
}

void mai_array_delete(struct mai_array *array) {
  if (!array)
    return;
  mai_placement_free(&array->placement);
  mai_policy_free(&array->policy);
  minas_free(array->name);
  minas_free(array->other_names);
  minas_free(array->file);
  minas_free(array->account);
  mai_site_end(array->site, array->shape.bytes);
  minas_free(array);
}

void mai_array_note_cut(struct mai_array *array) {
  mai_budget_change(array->pieces, array->pieces + 1);
  array->pieces++;
}

uintptr_t mai_array_end(const struct mai_array *array) {
  const struct mai_placement *placement = &array->placement;
  uintptr_t end = array->shape.start + array->shape.bytes;
  uintptr_t last = placement->start + placement->pages * placement->page_size;
  return array->shape.ends == MAI_ENDS_OWN && last > end ? last : end;
}

/*===-- The lock -----------------------------------------------------------===*/

static void change(struct mai_array *array, const struct mai_array *changed) {
  array->name = changed->name;
  array->other_names = changed->other_names;
  array->name_rank = changed->name_rank;
  array->policy = changed->policy;
  array->placement = changed->placement;
  array->governed = changed->governed;
  array->pieces = changed->pieces;
  array->rows_found = changed->rows_found;
  array->tries = changed->tries;
  array->error = changed->error;
  array->replicas = changed->replicas;
  array->moved_pages = changed->moved_pages;
  array->placing_seconds = changed->placing_seconds;
}

static void finish_change(void) {
  struct mai_array *array = __atomic_load_n(&registry.changing, __ATOMIC_ACQUIRE);
  if (array) {
    change(array, registry.changed);
    atomic_fetch_add(&changes, 1);
  }
  __atomic_store_n(&registry.changing, NULL, __ATOMIC_RELEASE);
}

/* A child of fork() finishes what another thread was doing when it was forked: the other's stack is
   still there until the child makes threads. */
__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, finish_change);
}

static void lock(void) {
  minas_lock(&registry.lock);
  if (registry.changing)
    finish_change();
}

static void unlock(void) { minas_unlock(&registry.lock); }

/*===-- The list, while it is locked ---------------------------------------===*/

/* For each level the link behind which an array that starts at `address` belongs. */
static void find_links(uintptr_t address, struct mai_array **links[MOST_LEVELS]) {
  struct mai_array **row = registry.first;
  for (unsigned level = MOST_LEVELS; level-- > 0;) {
    while (row[level] && row[level]->shape.start < address)
      row = row[level]->next;
    links[level] = &row[level];
  }
}

static void store(struct mai_array **link, struct mai_array *array) {
  __atomic_store_n(link, array, __ATOMIC_RELEASE);
}

static void insert(struct mai_array *array) {
  struct mai_array **links[MOST_LEVELS];
  find_links(array->shape.start, links);
  for (unsigned level = 0; level < array->levels; level++) {
    array->next[level] = *links[level];
    store(links[level], array);
  }
}

static void unlink_array(struct mai_array *array) {
  struct mai_array **links[MOST_LEVELS];
  find_links(array->shape.start, links);
  for (unsigned level = array->levels; level-- > 0;)
    if (*links[level] == array)
      store(links[level], array->next[level]);
}

static struct mai_array *first_from(uintptr_t address) {
  struct mai_array **links[MOST_LEVELS];
  find_links(address, links);
  return *links[0];
}

/* The array with the greatest start below `address`. */
static struct mai_array *last_before(uintptr_t address) {
  struct mai_array *found = NULL;
  struct mai_array **row = registry.first;
  for (unsigned level = MOST_LEVELS; level-- > 0;)
    while (row[level] && row[level]->shape.start < address) {
      found = row[level];
      row = found->next;
    }
  return found;
}

/* The first array of which something lies in [begin, end).  Arrays do not overlap, except that one
   may begin inside a watched one. */
static struct mai_array *first_in(uintptr_t begin, uintptr_t end) {
  struct mai_array *array = last_before(begin);
  if (!array || mai_array_end(array) <= begin)
    array = first_from(begin);
  return array && array->shape.start < end ? array : NULL;
}

/* The first of them that nobody holds. */
static struct mai_array *first_idle_in(uintptr_t begin, uintptr_t end) {
  struct mai_array *array = first_in(begin, end);
  while (array && array->holder && minas_thread_exists(array->holder))
    array = first_in(mai_array_end(array), end);
  return array;
}

/*===-- Holding ------------------------------------------------------------===*/

static _Thread_local struct {
  unsigned arrays;
  uint64_t signals; /* that were blocked before the first */
} held __attribute__((tls_model("initial-exec")));

bool mai_registry_is_holding(void) { return held.arrays > 0; }

static void note_held(uint64_t signals) {
  if (held.arrays++ == 0)
    held.signals = signals;
}

static void note_released(void) {
  if (--held.arrays == 0)
    minas_signals_restore(held.signals);
}

/* While locked: whether the array is now the calling thread's. */
static bool try_to_hold(struct mai_array *array) {
  if (array->holder && minas_thread_exists(array->holder))
    return false;
  array->holder = minas_own_number();
  return true;
}

static void sleep_until_released(uint32_t seen) {
  struct timespec limit = {.tv_nsec = 20L * 1000 * 1000};
  int error = errno;
  atomic_fetch_add(&registry.waiting, 1);
  minas_system(SYS_futex, (long)&registry.releases, FUTEX_WAIT_PRIVATE, seen, (long)&limit, 0, 0);
  atomic_fetch_sub(&registry.waiting, 1);
  errno = error;
}

/* While locked: find an array between two addresses. */
typedef struct mai_array *find_t(uintptr_t begin, uintptr_t end);

/* Hold what `find` finds. */
static struct mai_array *hold(find_t *find, uintptr_t begin, uintptr_t end) {
  uint64_t signals = minas_signals_block();
  for (;;) {
    lock();
    struct mai_array *array = find(begin, end);
    bool taken = array && try_to_hold(array);
    uint32_t seen = atomic_load(&registry.releases);
    unlock();
    if (taken) {
      note_held(signals);
      return array;
    }
    minas_signals_restore(signals);
    if (!array) {
      errno = EINVAL;
      return NULL;
    }
    sleep_until_released(seen);
    minas_signals_block();
  }
}

static struct mai_array *find_at(uintptr_t start, uintptr_t unused) {
  struct mai_array *array = first_from(start);
  (void)unused;
  return array && array->shape.start == start ? array : NULL;
}

static struct mai_array *find_behind(uintptr_t start, uintptr_t unused) {
  (void)unused;
  return first_from(start + 1);
}

struct mai_array *mai_registry_hold(const void *start) {
  return hold(find_at, (uintptr_t)start, 0);
}

struct mai_array *mai_registry_hold_behind(const void *start) {
  return hold(find_behind, (uintptr_t)start, 0);
}

struct mai_array *mai_registry_hold_in(uintptr_t begin, uintptr_t end) {
  return hold(first_in, begin, end);
}

struct mai_array *mai_registry_hold_idle_in(uintptr_t begin, uintptr_t end) {
  return hold(first_idle_in, begin, end);
}

static void wake_waiting(void) {
  int error = errno;
  atomic_fetch_add(&registry.releases, 1);
  if (atomic_load(&registry.waiting))
    minas_system(SYS_futex, (long)&registry.releases, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
  errno = error;
}

void mai_registry_release(struct mai_array *array) {
  lock();
  array->holder = 0;
  unlock();
  wake_waiting();
  note_released();
}

void mai_registry_update(struct mai_array *array, const struct mai_array *changed) {
  lock();
  registry.changed = changed;
  __atomic_store_n(&registry.changing, array, __ATOMIC_RELEASE);
  finish_change();
  unlock();
}

/*===-- Coming and going ---------------------------------------------------===*/

/* free() asks for every block whether an array of the program's memory begins there: a number for
   each of many sets of addresses says in how many cases to look. */
enum { SETS = 1 << 16 };

static _Atomic uint16_t starts[SETS];
static _Atomic unsigned foreign;
static atomic_ulong blocks;

static _Atomic uint16_t *set_of(uintptr_t start) {
  return &starts[(start >> 4) * 0x9e3779b97f4a7c15U >> 48];
}

/* While locked.  A set that was full once counts no longer: it always says yes. */
static void count(const struct mai_array *array, int change) {
  _Atomic uint16_t *set = set_of(array->shape.start);
  uint16_t now = atomic_load_explicit(set, memory_order_relaxed);
  if (array->origin != MAI_ADOPTED && !mai_array_is_of_heap(array))
    return;
  if (now != UINT16_MAX)
    atomic_store_explicit(set, (uint16_t)(now + change), memory_order_relaxed);
  atomic_fetch_add_explicit(&foreign, (unsigned)change, memory_order_relaxed);
}

bool mai_registry_may_start_at(uintptr_t start) {
  return atomic_load_explicit(set_of(start), memory_order_relaxed) != 0;
}

unsigned long mai_registry_blocks(void) {
  return atomic_load_explicit(&blocks, memory_order_relaxed);
}

unsigned mai_registry_foreign_arrays(void) {
  return atomic_load_explicit(&foreign, memory_order_relaxed);
}

/* Blocks that others have allocated are known to who samples, static arrays have symbols. */
static bool is_told(const struct mai_array *array) {
  return array->origin == MAI_ALLOCATED || array->origin == MAI_ADOPTED;
}

bool mai_registry_add(struct mai_array *array) {
  if (is_told(array))
    mai_recorder_note((const void *)array->shape.start, mai_array_end(array) - array->shape.start,
                      mai_array_is_nameless(array) ? NULL : array->name);
  lock();
  bool free = !first_in(array->shape.start, mai_array_end(array));
  if (free) {
    insert(array);
    atomic_fetch_add(&changes, 1);
    count(array, 1);
    if (array->origin == MAI_BLOCK_OF_HEAP)
      atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  }
  unlock();
  return free;
}

void mai_registry_remove(struct mai_array *array) {
  if (is_told(array))
    mai_recorder_forget((const void *)array->shape.start);
  lock();
  unlink_array(array);
  atomic_fetch_add(&changes, 1);
  count(array, -1);
  array->holder = 0;
  unlock();
  wake_waiting();
  note_released();
}

bool mai_registry_look(uintptr_t begin, uintptr_t end,
                       bool (*look)(const struct mai_array *array, void *context), void *context) {
  lock();
  struct mai_array *array = first_in(begin, end);
  bool result = array && look(array, context);
  unlock();
  return result;
}
