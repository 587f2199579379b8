/*===-- interpose.c - standing in front of others' functions -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "interpose.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run-time that came with a plugin is in no global order, and one all of whose functions the
   linker found here (--as-needed) was not loaded at all. */
static void *find_in_runtime(const char *name) {
  static const char *const runtimes[] = {"libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"};
  void *found = NULL;
  for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes && !found; i++) {
    bool is_llvms_function = strncmp(name, "__kmp", strlen("__kmp")) == 0;
    void *library =
        is_llvms_function && i == 0 ? NULL : dlopen(runtimes[i], RTLD_LAZY | RTLD_GLOBAL);
    found = library ? dlsym(library, name) : NULL;
  }
  return found;
}

void *mai_interpose_next(void *_Atomic *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (next)
    return next;
  next = dlsym(RTLD_NEXT, name);
  if (!next)
    next = find_in_runtime(name);
  if (!next) {
    fprintf(stderr, "mai: the program calls %s(), which no library that it has loaded defines\n",
            name);
    abort();
  }
  atomic_store_explicit(known, next, memory_order_relaxed);
  return next;
}

bool mai_interpose_same_library(const void *left, const void *right) {
  Dl_info left_info;
  Dl_info right_info;
  return left && right && dladdr(left, &left_info) && dladdr(right, &right_info) &&
         left_info.dli_fbase == right_info.dli_fbase;
}

bool mai_interpose_passed_by(const char *name) {
  const void *found = dlsym(RTLD_DEFAULT, name);
  /* Tracing stands in front as well, and calls what comes next. */
  const void *tracer = dlsym(RTLD_DEFAULT, "mai_trace_missing");
  return found && !mai_interpose_same_library(found, (const void *)&mai_interpose_passed_by) &&
         !mai_interpose_same_library(found, tracer);
}
