/*===-- preload.c - places the memory of a program that knows nothing of MAi *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-run has the dynamic linker load this library in front of the program's own.  Before main()
 * the static arrays are placed for which the user has set a policy; from then on so are blocks of
 * malloc() and its kin above a size, named after the place in the program that asked for them:
 * "malloc@PROGRAM+0xOFFSET", the offset being the one that addr2line understands.
 *
 * Memory stays that of the program's allocator, whichever that is: the functions here only pass on.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mai.h"
#include "overrides.h"
#include "watch.h"

#define INTERPOSES __attribute__((visibility("default")))

enum { DEFAULT_LEAST_BYTES = 1 << 20 };

static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void (*free)(void *);
} next;

static atomic_bool started; /* main() has begun: the library may be used */
static size_t least_bytes = DEFAULT_LEAST_BYTES;
static _Thread_local bool busy __attribute__((tls_model("initial-exec")));

/*===-- The allocator behind us --------------------------------------------===*/

/* What dlsym() itself asks for while the allocator is being looked up. */
static struct {
  _Alignas(max_align_t) char bytes[4096];
  atomic_size_t used;
} early;

static void *early_alloc(size_t bytes) {
  size_t rounded = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  size_t offset = atomic_fetch_add(&early.used, rounded);
  return rounded >= bytes && offset <= sizeof early.bytes - rounded && rounded <= sizeof early.bytes
             ? early.bytes + offset
             : NULL;
}

static bool is_early(const void *block) {
  return (const char *)block >= early.bytes &&
         (const char *)block < early.bytes + sizeof early.bytes;
}

static void find_next(void) {
  static _Thread_local bool finding __attribute__((tls_model("initial-exec")));
  if (finding)
    return;
  finding = true;
  *(void **)&next.calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
  *(void **)&next.memalign = dlsym(RTLD_NEXT, "memalign");
  *(void **)&next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  *(void **)&next.free = dlsym(RTLD_NEXT, "free");
  *(void **)&next.malloc = dlsym(RTLD_NEXT, "malloc");
  finding = false;
}

/*===-- The blocks that were placed ----------------------------------------===*/

/* A hash table of addresses without locks: free() looks here in every thread, also in one that is
   inside MAi and holds its locks. */
enum { TABLE_SIZE = 1 << 16, MOST_PROBES = 64, FREED = 1 };

static struct {
  _Atomic uintptr_t blocks[TABLE_SIZE]; /* 0: never used */
  atomic_bool used;
} table;

static _Atomic uintptr_t *slot_of(const void *block, size_t probe) {
  uint64_t hash = ((uintptr_t)block >> 12) * UINT64_C(0x9e3779b97f4a7c15);
  return &table.blocks[((hash >> 48) + probe) % TABLE_SIZE];
}

/* @return false when there is no room */
static bool remember(const void *block) {
  atomic_store_explicit(&table.used, true, memory_order_relaxed);
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    _Atomic uintptr_t *slot = slot_of(block, probe);
    uintptr_t found = atomic_load(slot);
    if (found == (uintptr_t)block) /* freed by a way that does not come by here */
      return true;
    if (found <= FREED && atomic_compare_exchange_strong(slot, &found, (uintptr_t)block))
      return true;
  }
  return false;
}

/* Whether a block was placed; from now on it is not. */
static bool take(const void *block) {
  bool used = atomic_load_explicit(&table.used, memory_order_relaxed);
  for (size_t probe = 0; used && probe < MOST_PROBES; probe++) {
    _Atomic uintptr_t *slot = slot_of(block, probe);
    uintptr_t found = atomic_load_explicit(slot, memory_order_relaxed);
    if (found == 0)
      return false;
    if (found == (uintptr_t)block)
      return atomic_compare_exchange_strong(slot, &found, FREED);
  }
  return false;
}

/*===-- Placing blocks -----------------------------------------------------===*/

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void name_after(const void *caller, char *name, size_t size) {
  Dl_info info;
  if (dladdr(caller, &info) && info.dli_fname)
    snprintf(name, size, "malloc@%s+0x%tx", file_name(info.dli_fname),
             (const char *)caller - (const char *)info.dli_fbase);
  else
    snprintf(name, size, "malloc@%p", caller);
}

/* A block that cannot be placed is as useful as before. */
static void *place(void *block, size_t bytes, const void *caller) {
  char name[256];
  if (!block || bytes < least_bytes || busy || !atomic_load(&started))
    return block;
  int error = errno;
  busy = true;
  name_after(caller, name, sizeof name);
  const mai_policy_t *policy = mai_override_for(name);
  if (policy && mai_place(block, bytes, 1, policy, name) == 0 && !remember(block))
    mai_forget(block); /* it stays where it is */
  busy = false;
  errno = error;
  return block;
}

static void forget(void *block) {
  if (busy || !take(block))
    return;
  int error = errno;
  busy = true;
  mai_forget(block);
  busy = false;
  errno = error;
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

INTERPOSES void *malloc(size_t bytes) {
  if (!next.malloc)
    find_next();
  return next.malloc ? place(next.malloc(bytes), bytes, CALLER) : early_alloc(bytes);
}

INTERPOSES void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (!next.malloc)
    find_next();
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = 0; /* the allocator refuses it */
  return next.malloc ? place(next.calloc(count, size), bytes, CALLER) : early_alloc(bytes);
}

INTERPOSES void *realloc(void *block, size_t bytes) {
  if (!next.malloc)
    find_next();
  if (!next.malloc || is_early(block)) {
    void *moved = malloc(bytes);
    if (moved && block) {
      size_t most = (size_t)(early.bytes + sizeof early.bytes - (char *)block);
      memcpy(moved, block, bytes < most ? bytes : most);
    }
    return moved;
  }
  forget(block);
  return place(next.realloc(block, bytes), bytes, CALLER);
}

INTERPOSES void *aligned_alloc(size_t alignment, size_t bytes) {
  if (!next.malloc)
    find_next();
  return place(next.aligned_alloc(alignment, bytes), bytes, CALLER);
}

INTERPOSES void *memalign(size_t alignment, size_t bytes) {
  if (!next.malloc)
    find_next();
  return place(next.memalign(alignment, bytes), bytes, CALLER);
}

INTERPOSES int posix_memalign(void **block, size_t alignment, size_t bytes) {
  if (!next.malloc)
    find_next();
  int error = next.posix_memalign(block, alignment, bytes);
  if (error == 0)
    place(*block, bytes, CALLER);
  return error;
}

INTERPOSES void free(void *block) {
  if (!block || is_early(block))
    return;
  if (!next.malloc)
    find_next();
  forget(block);
  next.free(block);
}

/*===-- Before main() ------------------------------------------------------===*/

typedef int main_t(int, char **, char **);

static main_t *program_main;

static void read_least_bytes(void) {
  const char *text = getenv("MAI_RUN_LEAST_BYTES");
  char *end;
  unsigned long long bytes = text ? strtoull(text, &end, 10) : 0;
  if (text && *text && *end == '\0')
    least_bytes = bytes;
}

/* A policy for all of a program's memory would also be one for memory that the library uses. */
static int start_main(int count, char **arguments, char **environment) {
  busy = true;
  read_least_bytes();
  mai_place_named_arrays();
  busy = false;
  atomic_store(&started, mai_overrides_exist());
  return program_main(count, arguments, environment);
}

INTERPOSES int __libc_start_main(main_t *main, int count, char **arguments, void (*init)(void),
                                 void (*fini)(void), void (*linker_fini)(void), void *stack_end);
int __libc_start_main(main_t *main, int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*linker_fini)(void), void *stack_end) {
  __typeof__(__libc_start_main) *start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = main;
  return start(start_main, count, arguments, init, fini, linker_fini, stack_end);
}
