/*===-- heap.c - memory of our own, apart from the program's ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Blocks have sizes of powers of two.  Freed ones wait in a stack for each size (R. K. Treiber,
 * "Systems programming: coping with parallelism", 1986); there are no locks.  Large blocks are
 * mappings of their own.
 */
#include "heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "system.h"

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#endif

enum {
  LEAST_SHIFT = 5, /* 32 bytes */
  MOST_SHIFT = 16, /* 64 KiB */
  CLASSES = MOST_SHIFT - LEAST_SHIFT + 1,
  CHUNK_BYTES = 1 << 18
};

/* Stands before each block. */
struct header {
  union {
    size_t bytes;        /* with header: a power of two, or those of a mapping */
    struct header *next; /* of a freed block */
  };
  size_t padding; /* blocks are aligned to 16 bytes */
};
_Static_assert(sizeof(struct header) == 16, "blocks are aligned for every type");

/* Memory from which new blocks are cut. */
struct chunk {
  _Atomic size_t used;
  char padding[(1 << LEAST_SHIFT) - sizeof(size_t)];
};

static struct {
  _Atomic uint64_t freed[CLASSES]; /* the first of each stack, see below */
  struct chunk *_Atomic chunk;     /* the newest */
} heap;

static void *map(size_t bytes) {
  long address = minas_system(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address != -1)
    return (void *)address;
  errno = ENOMEM;
  return NULL;
}

/*===-- Freed blocks -------------------------------------------------------===*/

/* Addresses have 48 bits.  Above them stands a number that changes with each block that is taken: a
   thread that has seen one on top, and what lies below it, takes it only if nobody has taken it and
   put it back meanwhile. */
enum { ADDRESS_BITS = 48 };

static struct header *address_of(uint64_t top) {
  return (struct header *)(uintptr_t)(top & ((UINT64_C(1) << ADDRESS_BITS) - 1));
}

static uint64_t top_of(const struct header *header, uint64_t number) {
  return (uint64_t)(uintptr_t)header | number << ADDRESS_BITS;
}

/* The memory of a block that another thread has just taken is still there to be read. */
static struct header *pop(unsigned class) {
  uint64_t top = atomic_load_explicit(&heap.freed[class], memory_order_acquire);
  struct header *header;
  uint64_t rest;
  do {
    header = address_of(top);
    if (!header)
      return NULL;
    struct header *next = __atomic_load_n(&header->next, __ATOMIC_RELAXED);
    rest = top_of((struct header *)((uintptr_t)next & ((UINT64_C(1) << ADDRESS_BITS) - 1)),
                  (top >> ADDRESS_BITS) + 1);
  } while (!atomic_compare_exchange_weak(&heap.freed[class], &top, rest));
  return header;
}

static void push(unsigned class, struct header *header) {
  uint64_t top = atomic_load_explicit(&heap.freed[class], memory_order_relaxed);
  do
    __atomic_store_n(&header->next, address_of(top), __ATOMIC_RELAXED);
  while (
      !atomic_compare_exchange_weak(&heap.freed[class], &top, top_of(header, top >> ADDRESS_BITS)));
}

/*===-- Small blocks -------------------------------------------------------===*/

static unsigned class_of(size_t bytes) {
  unsigned shift = LEAST_SHIFT;
  while ((size_t)1 << shift < bytes)
    shift++;
  return shift - LEAST_SHIFT;
}

static size_t bytes_of_class(unsigned class) { return (size_t)1 << (class + LEAST_SHIFT); }

/* NULL when there is none, or it is full. */
static struct header *cut(struct chunk *chunk, size_t bytes) {
  if (!chunk || atomic_load_explicit(&chunk->used, memory_order_relaxed) > CHUNK_BYTES)
    return NULL;
  size_t offset = atomic_fetch_add(&chunk->used, bytes) + sizeof *chunk;
  return offset + bytes <= CHUNK_BYTES ? (struct header *)((char *)chunk + offset) : NULL;
}

/* What is left of the chunk before is lost; so is a chunk that another thread was faster with. */
static struct header *cut_new(size_t bytes) {
  for (;;) {
    struct chunk *chunk = atomic_load(&heap.chunk);
    struct header *header = cut(chunk, bytes);
    if (header)
      return header;
    struct chunk *new = map(CHUNK_BYTES);
    if (!new)
      return NULL;
    if (!atomic_compare_exchange_strong(&heap.chunk, &chunk, new))
      minas_system(SYS_munmap, (long)new, CHUNK_BYTES, 0, 0, 0, 0);
  }
}

static struct header *alloc_small(size_t bytes) {
  unsigned class = class_of(bytes);
  size_t whole = bytes_of_class(class);
  struct header *header = pop(class);
  if (!header)
    header = cut_new(whole);
  if (!header)
    return NULL;
  ASAN_UNPOISON_MEMORY_REGION(header + 1, whole - sizeof *header);
  memset(header + 1, 0, whole - sizeof *header);
  __atomic_store_n(&header->bytes, whole, __ATOMIC_RELAXED);
  return header;
}

static void free_small(struct header *header) {
  unsigned class = class_of(header->bytes);
  ASAN_POISON_MEMORY_REGION(header + 1, header->bytes - sizeof *header);
  push(class, header);
}

/*===-- Large blocks -------------------------------------------------------===*/

static struct header *alloc_large(size_t bytes) {
  struct header *header = map(bytes);
  if (header)
    header->bytes = bytes;
  return header;
}

static void free_large(struct header *header) {
  size_t bytes = header->bytes;
  ASAN_UNPOISON_MEMORY_REGION(header, bytes);
  minas_system(SYS_munmap, (long)header, (long)bytes, 0, 0, 0, 0);
}

static bool is_small(size_t bytes) { return bytes <= (size_t)1 << MOST_SHIFT; }

/*===-- All blocks ---------------------------------------------------------===*/

void *minas_alloc(size_t bytes) {
  size_t whole;
  if (__builtin_add_overflow(bytes, sizeof(struct header), &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  struct header *header = is_small(whole) ? alloc_small(whole) : alloc_large(whole);
  if (!header) {
    errno = ENOMEM;
    return NULL;
  }
  ASAN_POISON_MEMORY_REGION((char *)(header + 1) + bytes, header->bytes - whole);
  return header + 1;
}

void *minas_alloc_list(size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes))
    return minas_alloc(bytes);
  errno = ENOMEM;
  return NULL;
}

void minas_free(void *block) {
  if (!block)
    return;
  int error = errno;
  struct header *header = (struct header *)block - 1;
  if (is_small(header->bytes))
    free_small(header);
  else
    free_large(header);
  errno = error;
}

void *minas_resize(void *block, size_t bytes) {
  void *larger = minas_alloc(bytes);
  if (!block || !larger)
    return larger;
  const struct header *header = (const struct header *)block - 1;
  size_t held = header->bytes - sizeof *header;
  ASAN_UNPOISON_MEMORY_REGION(block, held);
  memcpy(larger, block, held < bytes ? held : bytes);
  minas_free(block);
  return larger;
}

void *minas_copy(const void *bytes, size_t count) {
  void *copy = minas_alloc(count);
  return copy ? memcpy(copy, bytes, count) : NULL;
}

char *minas_copy_part(const char *text, size_t length) {
  char *copy = minas_alloc(length + 1);
  return copy ? memcpy(copy, text, length) : NULL;
}

char *minas_copy_text(const char *text) { return minas_copy_part(text, strlen(text)); }
