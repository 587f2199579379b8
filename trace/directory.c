/*===-- directory.c - where a thread's counters are --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * In the archive and in the shared library: the one in the program's executable is used by both,
 * and is the cheapest to get at.
 */
#include "hooks.h"

__thread uintptr_t *mai_trace_chunks = mai_trace_no_chunks;
