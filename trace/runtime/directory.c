/*===-- directory.c - where a thread's counters are --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * In the archive and in the shared library: the directory in the program's executable is used by
 * both, and is the cheapest to get at.  The executable starts counting before all that runs in the
 * process, functions of its own .preinit_array included, which are called before libraries are.
 */
#include "directory.h"

__thread uintptr_t *mai_trace_chunks = mai_trace_no_chunks;

bool mai_trace_ready;

#ifdef MAI_TRACE_IN_PROGRAM

static void start(int count, char **arguments, char **variables) {
  mai_trace_ready = true;
  mai_trace_initialise(count, arguments, variables);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = start;

#endif
