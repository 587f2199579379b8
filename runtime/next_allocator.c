/*===-- next_allocator.c - the allocator behind an interposed one *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "next_allocator.h"

#include <dlfcn.h>

enum { EARLY_BYTES = 4096 };

static _Alignas(max_align_t) char early_bytes[EARLY_BYTES];

struct minas_next_allocator minas_next;
struct minas_bump minas_early = {early_bytes, EARLY_BYTES, 0};

const void *minas_library_of(const void *function) {
  Dl_info found;
  return function && dladdr(function, &found) ? found.dli_fbase : NULL;
}

/* An allocator may have none, and that of another knows nothing of its blocks.  Who stands in front
   of only one of malloc() and free() has the blocks of whose the other is. */
static void *find_usable_size(void) {
  void *usable_size = dlsym(RTLD_NEXT, "malloc_usable_size");
  const void *library = minas_library_of(usable_size);
  bool is_asked_rightly = library == minas_library_of(*(void **)&minas_next.free) ||
                          library == minas_library_of(dlsym(RTLD_NEXT, "malloc"));
  return is_asked_rightly ? usable_size : NULL;
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
  *(void **)&minas_next.free = dlsym(RTLD_NEXT, "free");
  *(void **)&minas_next.usable_size = find_usable_size();
  *(void **)&minas_next.malloc = dlsym(RTLD_NEXT, "malloc");
  finding = false;
}
