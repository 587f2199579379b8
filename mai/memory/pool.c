/*===-- pool.c - memory of many small arrays ---------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel.h"
#include "machine.h"
#include "memory.h"
#include "mai/process/message.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

enum { CHUNK_PAGES = 4096, WORD_BITS = 64, WORDS = CHUNK_PAGES / WORD_BITS };

/* A mapping, and which of its pages are taken. */
struct chunk {
  struct chunk *next;
  char *start;
  size_t first_free; /* no page before it is free */
  uint64_t taken[WORDS];
};

struct mai_pool {
  struct minas_lock lock;
  enum mai_pool_kind kind;
  uint32_t node;
  size_t page_size;
  struct chunk *chunks;
};

/*===-- All pools ----------------------------------------------------------===*/

static struct mai_pool *_Atomic nodes[MAI_MOST_NODES];
static struct mai_pool *_Atomic others[MAI_POOL_NODE];

/* Two threads may make one at the same time. */
static struct mai_pool *make(struct mai_pool *_Atomic *place, enum mai_pool_kind kind,
                             uint32_t node) {
  struct mai_pool *known = NULL;
  struct mai_pool *pool = minas_alloc(sizeof *pool);
  if (!pool)
    return NULL;
  pool->kind = kind;
  pool->node = node;
  pool->page_size = mai_machine()->page_size;
  if (atomic_compare_exchange_strong(place, &known, pool))
    return pool;
  minas_free(pool);
  return known;
}

struct mai_pool *mai_pool(enum mai_pool_kind kind, uint32_t node) {
  struct mai_pool *_Atomic *place = kind == MAI_POOL_NODE ? &nodes[node] : &others[kind];
  struct mai_pool *pool = atomic_load(place);
  return pool ? pool : make(place, kind, node);
}

/*===-- Pages of a chunk ---------------------------------------------------===*/

static bool is_taken(const struct chunk *chunk, size_t page) {
  return chunk->taken[page / WORD_BITS] >> page % WORD_BITS & 1;
}

static void mark(struct chunk *chunk, size_t first, size_t count, bool taken) {
  for (size_t page = first; page < first + count; page++) {
    uint64_t bit = UINT64_C(1) << page % WORD_BITS;
    uint64_t word = chunk->taken[page / WORD_BITS];
    chunk->taken[page / WORD_BITS] = taken ? word | bit : word & ~bit;
  }
}

/* The first page from `page` on that is taken, or that is free. */
static size_t next_page(const struct chunk *chunk, size_t page, bool taken) {
  const uint64_t uniform = taken ? 0 : UINT64_MAX;
  while (page < CHUNK_PAGES && is_taken(chunk, page) != taken)
    page += page % WORD_BITS == 0 && chunk->taken[page / WORD_BITS] == uniform ? WORD_BITS : 1;
  return page;
}

/* The pages that are looked for. */
struct wanted {
  size_t count;
  size_t cycle;
};

/* The first page from `page` on at which a cycle begins. */
static size_t next_cycle(const struct mai_pool *pool, const struct chunk *chunk, size_t page,
                         size_t cycle) {
  size_t mask = mai_machine()->interleave_mask;
  size_t first = (uintptr_t)chunk->start / pool->page_size;
  while (((first + page) & mask) % cycle != 0)
    page++;
  return page;
}

/* The first of free pages that follow each other; CHUNK_PAGES when there are none. */
static size_t find_free(const struct mai_pool *pool, struct chunk *chunk,
                        const struct wanted *wanted) {
  chunk->first_free = next_page(chunk, chunk->first_free, false);
  size_t first = chunk->first_free;
  while (first < CHUNK_PAGES) {
    size_t end = next_page(chunk, first, true);
    first = next_cycle(pool, chunk, first, wanted->cycle);
    if (first + wanted->count <= end)
      return first;
    first = next_page(chunk, end, false);
  }
  return CHUNK_PAGES;
}

/*===-- Chunks -------------------------------------------------------------===*/

static int set_policy(const struct mai_pool *pool, char *start, size_t bytes) {
  static const enum mai_mode modes[] = {[MAI_POOL_PLAIN] = MAI_MODE_DEFAULT,
                                        [MAI_POOL_LOCAL] = MAI_MODE_LOCAL,
                                        [MAI_POOL_NODE] = MAI_MODE_PREFER};
  bool has_node = pool->kind == MAI_POOL_NODE;
  return mai_kernel_set_range((uintptr_t)start, bytes, modes[pool->kind],
                              has_node ? &pool->node : NULL, has_node);
}

/* A huge page would be that of many arrays: not where each page has a node of its own.  What is
   there before the policy came with a huge page of a neighbouring mapping (khugepaged). */
static char *map_chunk(const struct mai_pool *pool) {
  size_t bytes = CHUNK_PAGES * pool->page_size;
  void *start =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    MAI_REFUSED("mmap");
    return NULL;
  }
  if (pool->kind == MAI_POOL_LOCAL)
    madvise(start, bytes, MADV_NOHUGEPAGE);
  if (pool->kind == MAI_POOL_PLAIN)
    return start;
  if (set_policy(pool, start, bytes) == 0) {
    madvise(start, bytes, MADV_DONTNEED);
    return start;
  }
  munmap(start, bytes);
  return NULL;
}

static struct chunk *new_chunk(const struct mai_pool *pool) {
  struct chunk *chunk = minas_alloc(sizeof *chunk);
  char *start = chunk ? map_chunk(pool) : NULL;
  if (!start) {
    minas_free(chunk);
    errno = ENOMEM;
    return NULL;
  }
  chunk->start = start;
  return chunk;
}

/* While locked; NULL when no chunk has room. */
static void *take_known(struct mai_pool *pool, const struct wanted *wanted) {
  for (struct chunk *chunk = pool->chunks; chunk; chunk = chunk->next) {
    size_t first = find_free(pool, chunk, wanted);
    if (first < CHUNK_PAGES) {
      mark(chunk, first, wanted->count, true);
      return chunk->start + first * pool->page_size;
    }
  }
  return NULL;
}

static size_t pages_of(const struct mai_pool *pool, size_t bytes) {
  return (bytes + pool->page_size - 1) / pool->page_size;
}

void *mai_pool_take(struct mai_pool *pool, size_t bytes, size_t cycle) {
  const struct wanted wanted = {pages_of(pool, bytes), cycle};
  for (;;) {
    minas_lock(&pool->lock);
    void *start = take_known(pool, &wanted);
    minas_unlock(&pool->lock);
    if (start)
      return start;
    struct chunk *chunk = new_chunk(pool);
    if (!chunk)
      return NULL;
    mai_memory_tell_mapped(chunk->start, CHUNK_PAGES * pool->page_size);
    minas_lock(&pool->lock);
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    minas_unlock(&pool->lock);
  }
}

static struct chunk *chunk_of(const struct mai_pool *pool, const char *start) {
  struct chunk *chunk = pool->chunks;
  while (chunk && (size_t)(start - chunk->start) >= CHUNK_PAGES * pool->page_size)
    chunk = chunk->next;
  return chunk;
}

/* Pages that the kernel takes back are zero when they come again; locked ones it does not take.  An
   array with copies is read-only, and so are its copies. */
void mai_pool_give_back(struct mai_pool *pool, void *start, size_t bytes, bool policy_changed) {
  int error = errno;
  size_t pages = pages_of(pool, bytes);
  mprotect(start, pages * pool->page_size, PROT_READ | PROT_WRITE);
  if (madvise(start, pages * pool->page_size, MADV_DONTNEED) != 0)
    memset(start, 0, pages * pool->page_size);
  if (policy_changed)
    set_policy(pool, start, pages * pool->page_size);
  minas_lock(&pool->lock);
  struct chunk *chunk = chunk_of(pool, start);
  if (chunk) {
    size_t first = (size_t)((char *)start - chunk->start) / pool->page_size;
    mark(chunk, first, pages, false);
    if (first < chunk->first_free)
      chunk->first_free = first;
  }
  minas_unlock(&pool->lock);
  errno = error;
}
