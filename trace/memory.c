/*===-- memory.c - memory of the library itself ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "memory.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *trace_memory(size_t bytes) {
  void *memory = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  if (memory == MAP_FAILED)
    return NULL;
  /* Counters are touched here and there; huge pages would cost far more than they count. */
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

void trace_memory_free(void *memory, size_t bytes) { syscall(SYS_munmap, memory, bytes); }
