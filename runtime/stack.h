/*===-- stack.h - work that the program's stack has no room for -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Handlers of signals run on stacks of a few KiB, and so do coroutines.
 */
#ifndef MINAS_STACK_H
#define MINAS_STACK_H

#include <stddef.h>
#include <stdint.h>

struct minas_stack {
  char *bottom;
  size_t bytes;
  _Atomic uint32_t user; /**< the thread that is on it; 0: none */
};

/** Make a stack, which stays for ever. @return 0, or -1 with errno ENOMEM */
int minas_stack_make(struct minas_stack *stack);

/** Call `function(argument)` on a stack; where another thread is on it, or the processor is not one
 *  for which that is known, on the calling thread's own. */
void minas_call_on_stack(struct minas_stack *stack, void (*function)(void *), void *argument);

#endif /* MINAS_STACK_H */
