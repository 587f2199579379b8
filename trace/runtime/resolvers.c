/*===-- resolvers.c - before threads have their variables --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program's functions that choose between implementations (ifunc) run while the dynamic linker
 * resolves its references: the thread-local variables are there, but all 0 still, and a directory
 * at 0 cannot be read.  The linker comes to a library before it comes to what needs it, so that a
 * function of the same kind here is the first of all and can set the directory.
 *
 * What is accessed so early is not counted.
 */
#include "hooks.h"

static void nothing(void) {}

static void (*choose(void))(void) {
  mai_trace_chunks = mai_trace_no_chunks;
  return nothing;
}

static void implemented_somehow(void) __attribute__((ifunc("choose")));

__attribute__((constructor)) static void refer(void) { implemented_somehow(); }
