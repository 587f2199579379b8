/*===-- memory.c - memory of the library itself ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "memory.h"

#include "trace/system/kernel.h"

void *trace_memory(size_t bytes) {
  long start = kernel_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (minas_kernel_failed(start))
    return NULL;
  /* Counters are touched here and there; huge pages would cost far more than they count. */
  kernel_madvise((void *)start, bytes, MADV_NOHUGEPAGE);
  return (void *)start;
}

void trace_memory_free(void *memory, size_t bytes) { kernel_munmap(memory, bytes); }
