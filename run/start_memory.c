/*===-- start_memory.c - what libraries allocate before main() ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "start_memory.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/kernel_call.h"

struct minas_bump run_start_memory = {MINAS_BUMP_NOWHERE, MINAS_BUMP_MOST, 0};

/* Not by mmap(), behind which somebody may allocate. */
static char *map_memory(void) {
  long start = minas_kernel_call(SYS_mmap, 0, MINAS_BUMP_MOST, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return minas_kernel_failed(start) ? MINAS_BUMP_NOWHERE : (char *)start;
}

/* There is one thread before main(); another that a library has started may lose its mapping. */
static void have_memory(void) {
  char *start = MINAS_BUMP_NOWHERE;
  if (atomic_load(&run_start_memory.start) == start)
    atomic_compare_exchange_strong(&run_start_memory.start, &start, map_memory());
}

void *run_start_alloc(size_t bytes) {
  have_memory();
  return minas_bump_alloc(&run_start_memory, bytes);
}
