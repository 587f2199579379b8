/*===-- memory.h - memory of the library itself ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The library stands in front of malloc() and mmap(), and counts in the middle of anything: what it
 * needs it asks the kernel for.
 */
#ifndef MAI_TRACE_MEMORY_H
#define MAI_TRACE_MEMORY_H

#include <stddef.h>

#include "hooks.h"

/** Memory of zeroes, none of which is there before it is touched; NULL when there is none. */
MAI_TRACE_GENERAL_REGISTERS void *trace_memory(size_t bytes);

/** Give it back, all of it. */
void trace_memory_free(void *memory, size_t bytes);

#endif /* MAI_TRACE_MEMORY_H */
