/*===-- own_memory.c - reads the program's memory, and touches none *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "runtime/own_memory.h"

#include "runtime/system.h"

int minas_own_memory_open(void) { return minas_open("/proc/self/mem"); }

bool minas_own_memory_read(int file, uintptr_t start, void *copy, size_t bytes) {
  char *to = copy;
  for (size_t done = 0; done < bytes;) {
    long read = minas_system(SYS_pread64, file, (long)(to + done), (long)(bytes - done),
                             (long)(start + done), 0, 0);
    if (read <= 0)
      return false;
    done += (size_t)read;
  }
  return true;
}
