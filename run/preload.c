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
 * libmai's free() and realloc(), which come next, see to a block's end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mai/arrays/blocks.h"
#include "mai/arrays/executable.h"
#include "mai/arrays/overrides.h"
#include "mai/process/call.h"
#include "mai/process/settings.h"

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
static size_t page_size;

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

/*===-- Who asks -----------------------------------------------------------===*/

/* A call of an allocation function, and the policy for its blocks. */
struct site {
  _Atomic uintptr_t caller;   /* 0: not used */
  atomic_bool known;          /* what follows is there */
  const mai_policy_t *policy; /* NULL: none */
  char name[96];
};

/* Without locks: a thread that finds its site not known yet works it out by itself. */
enum { SITES = 1 << 12, MOST_PROBES = 16 };

static struct site sites[SITES];

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Finds objects without the dynamic linker's lock, which a constructor may hold while it waits for
   the calling thread.  glibc before 2.35 does not have it. */
__typeof__(_dl_find_object) _dl_find_object __attribute__((weak));

static struct link_map *object_of(const void *caller) {
  struct dl_find_object found;
  Dl_info info;
  struct link_map *map = NULL;
  if (_dl_find_object)
    return _dl_find_object((void *)(uintptr_t)caller, &found) == 0 ? found.dlfo_link_map : NULL;
  return dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static void describe(const void *caller, struct site *site) {
  const struct link_map *object = object_of(caller);
  if (object)
    snprintf(site->name, sizeof site->name, "malloc@%.70s+0x%tx",
             *object->l_name ? file_name(object->l_name) : program_invocation_short_name,
             (const char *)caller - (const char *)object->l_addr);
  else
    snprintf(site->name, sizeof site->name, "malloc@%p", caller);
  site->policy = mai_override_for(site->name);
}

static struct site *slot_of(uintptr_t caller, size_t probe) {
  return &sites[((caller * UINT64_C(0x9e3779b97f4a7c15) >> 52) + probe) % SITES];
}

/* The site of a caller, once that is known; NULL: it is not, or there is no room for it. */
static const struct site *find_site(uintptr_t caller) {
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct site *site = slot_of(caller, probe);
    uintptr_t found = atomic_load_explicit(&site->caller, memory_order_relaxed);
    if (found == caller)
      return atomic_load_explicit(&site->known, memory_order_acquire) ? site : NULL;
    if (found == 0)
      return NULL;
  }
  return NULL;
}

static void remember_site(uintptr_t caller, const struct site *described) {
  for (size_t probe = 0; probe < MOST_PROBES; probe++) {
    struct site *site = slot_of(caller, probe);
    uintptr_t found = 0;
    if (atomic_compare_exchange_strong(&site->caller, &found, caller)) {
      site->policy = described->policy;
      memcpy(site->name, described->name, sizeof site->name);
      atomic_store_explicit(&site->known, true, memory_order_release);
    }
    if (found == 0 || found == caller)
      return;
  }
}

/*===-- Placing blocks -----------------------------------------------------===*/

static bool has_whole_page(const void *block, size_t bytes) {
  uintptr_t start = (uintptr_t)block;
  uintptr_t first = (start + page_size - 1) / page_size * page_size;
  return start + bytes >= first + page_size;
}

static __attribute__((__noinline__)) void place_block(void *block, size_t bytes,
                                                      const void *caller) {
  MAI_CALL;
  int error = errno;
  struct site described;
  const struct site *site = find_site((uintptr_t)caller);
  if (!site) {
    describe(caller, &described);
    remember_site((uintptr_t)caller, &described);
    site = &described;
  }
  if (site->policy)
    mai_place_named_block(block, bytes, site->policy, site->name);
  errno = error;
}

/* A block that cannot be placed is as useful as before. */
static void *place(void *block, size_t bytes, const void *caller) {
  if (block && bytes >= least_bytes && atomic_load_explicit(&started, memory_order_relaxed) &&
      !mai_call_is_inside() && has_whole_page(block, bytes))
    place_block(block, bytes, caller);
  return block;
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

static void *move_early(void *block, size_t bytes) {
  void *moved = malloc(bytes);
  if (moved && block) {
    size_t most = (size_t)(early.bytes + sizeof early.bytes - (char *)block);
    memcpy(moved, block, bytes < most ? bytes : most);
  }
  return moved;
}

INTERPOSES void *realloc(void *block, size_t bytes) {
  if (!next.malloc)
    find_next();
  if (!next.malloc || is_early(block))
    return move_early(block, bytes);
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
  next.free(block);
}

/*===-- Before main() ------------------------------------------------------===*/

typedef int main_t(int, char **, char **);

static main_t *program_main;

static void read_least_bytes(void) {
  const char *text = mai_settings()->least_size;
  char *end;
  unsigned long long bytes = text ? strtoull(text, &end, 10) : 0;
  if (text && *text && *end == '\0')
    least_bytes = bytes;
}

/* A policy for all of a program's memory would also be one for memory that the library uses. */
static int start_main(int count, char **arguments, char **environment) {
  page_size = (size_t)sysconf(_SC_PAGESIZE);
  read_least_bytes();
  mai_place_named_arrays();
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
