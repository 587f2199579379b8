/*===-- callers.h - the calls that have led to a place ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Stacks are followed by their unwind tables, which every program of C++ has, and on the common
 * processors every program.  No memory is taken and no lock of others waited for.
 */
#ifndef MINAS_CALLERS_H
#define MINAS_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

enum { MINAS_CALLERS_SEEN = 32 };

/** Addresses behind calls, the innermost first. */
struct minas_callers {
  unsigned count;
  uintptr_t code[MINAS_CALLERS_SEEN];
  uintptr_t stack[MINAS_CALLERS_SEEN]; /**< the stack pointer there */
};

/** Find the calls of this thread from that on behind which is `innermost`: that one alone where the
 *  others cannot be told. */
void minas_callers_find(const void *innermost, struct minas_callers *callers);

/** Whether this thread's calls are those that were found before, which is seen in a fraction of the
 *  time.
 *  @param stack the stack pointer behind the call of `innermost`, __builtin_dwarf_cfa() in what was
 *    called
 *  @return false also where they may be the same, but cannot be seen to be */
bool minas_callers_are(const struct minas_callers *callers, const void *innermost, uintptr_t stack);

/** The same number for the same calls; seldom the same for others. */
uint64_t minas_callers_hash(const struct minas_callers *callers);

#endif /* MINAS_CALLERS_H */
