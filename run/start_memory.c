/*===-- start_memory.c - what libraries allocate before main() ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "start_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/kernel_call.h"

#define NOWHERE (-(uintptr_t)RUN_START_BYTES)

atomic_uintptr_t run_start_memory = NOWHERE;

/* Not by mmap(), behind which somebody may allocate. @return NOWHERE: there is none */
static uintptr_t map_memory(void) {
  long start = minas_kernel_call(SYS_mmap, 0, RUN_START_BYTES, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return minas_kernel_failed(start) ? NOWHERE : (uintptr_t)start;
}

/* There is one thread before main(); another that a library has started may lose its mapping. */
static uintptr_t memory(void) {
  uintptr_t start = atomic_load(&run_start_memory);
  if (start != NOWHERE)
    return start;
  uintptr_t mapped = map_memory();
  return atomic_compare_exchange_strong(&run_start_memory, &start, mapped) ? mapped : start;
}

void *run_start_alloc(size_t bytes) {
  static atomic_size_t used;
  uintptr_t start = memory();
  if (bytes > RUN_START_BYTES || start == NOWHERE)
    return NULL;
  size_t rounded = (bytes | 1) + sizeof(max_align_t) - 1;
  rounded -= rounded % sizeof(max_align_t);
  size_t offset = atomic_fetch_add(&used, rounded);
  return rounded <= RUN_START_BYTES && offset <= RUN_START_BYTES - rounded
             ? (void *)(start + offset)
             : NULL;
}

void *run_start_copy(void *to, const void *block, size_t bytes) {
  size_t most = (size_t)(atomic_load(&run_start_memory) + RUN_START_BYTES - (uintptr_t)block);
  return to ? memcpy(to, block, bytes < most ? bytes : most) : NULL;
}
