/*===-- start_memory.h - what libraries allocate before main() ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * To read some machines MAi needs hwloc, which takes much from the heap and frees most of it.  A
 * program that reads memory before it writes some would find what was there.  So such blocks lie
 * apart, and are never used again.
 */
#ifndef RUN_START_MEMORY_H
#define RUN_START_MEMORY_H

#include "runtime/bump.h"

extern struct minas_bump run_start_memory;

/** A block of zeros; NULL when there is no more. */
void *run_start_alloc(size_t bytes);

#endif /* RUN_START_MEMORY_H */
