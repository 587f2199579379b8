/*===-- next_allocator.c - the allocator behind an interposed one *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "next_allocator.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

struct minas_next_allocator minas_next;
_Alignas(max_align_t) char minas_early_bytes[MINAS_EARLY_BYTES];

void *minas_early_alloc(size_t bytes) {
  static atomic_size_t used;
  size_t rounded = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (bytes > MINAS_EARLY_BYTES || rounded > MINAS_EARLY_BYTES)
    return NULL;
  size_t offset = atomic_fetch_add(&used, rounded);
  return offset <= MINAS_EARLY_BYTES - rounded ? minas_early_bytes + offset : NULL;
}

void *minas_early_copy(void *to, const void *early, size_t bytes) {
  if (to && early) {
    size_t most = (size_t)(minas_early_bytes + MINAS_EARLY_BYTES - (const char *)early);
    memcpy(to, early, bytes < most ? bytes : most);
  }
  return to;
}

void minas_next_find(void) {
  static _Thread_local bool finding __attribute__((tls_model("initial-exec")));
  if (finding)
    return;
  finding = true;
  *(void **)&minas_next.calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&minas_next.realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&minas_next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
  *(void **)&minas_next.memalign = dlsym(RTLD_NEXT, "memalign");
  *(void **)&minas_next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  *(void **)&minas_next.usable_size = dlsym(RTLD_NEXT, "malloc_usable_size");
  *(void **)&minas_next.free = dlsym(RTLD_NEXT, "free");
  *(void **)&minas_next.malloc = dlsym(RTLD_NEXT, "malloc");
  finding = false;
}
