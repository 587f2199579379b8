/*===-- leftovers.h - what a library leaves where programs may look *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Variables that a program forgets to set are 0 as long as nobody has used their part of the stack,
 * which is why many such programs work.  Before main() begins, and before a thread's first region
 * does, we use more of it than there would be in use without us.
 */
#ifndef MINAS_LEFTOVERS_H
#define MINAS_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/** Clear so many bytes of what functions that have returned have left on the stack, below the
 *  caller's frame, and what they have left in registers: the dynamic linker writes these to the
 *  stack where it looks up a function. */
void minas_clear_leftovers(size_t bytes);

/** The same for a new thread.
 *  @param may_be_small the kernel is asked how far down anybody has used the stack */
void minas_clear_thread_leftovers(bool may_be_small);

#endif /* MINAS_LEFTOVERS_H */
