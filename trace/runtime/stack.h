/*===-- stack.h - stacks for what the library does ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program counts wherever it runs: in handlers of signals and in coroutines, too, whose stacks
 * may have room for what the program itself does, and no more.  So what takes more than a few words
 * of a stack is done on one of the library's own, unless the thread is known to have much left of
 * its own stack.
 *
 * A thread has several of these, since a handler may interrupt what is done on one, and may leave
 * it for good (siglongjmp()).  When all are in use, the program's stack has to do.
 */
#ifndef MAI_TRACE_STACK_H
#define MAI_TRACE_STACK_H

#include <stdint.h>

#include "hooks.h"

/** Call a function, on a stack with enough room.  Calls nest.  The calls of a thread can be
 * followed from it. */
void trace_on_stack(void (*function)(void *), void *argument);

/** Tell where this thread's own stack is. */
void trace_stack_is(uintptr_t low, uintptr_t high);

/** The initial thread's stack ends at `high`. */
void trace_stack_is_initial(uintptr_t high);

/** This thread ends. */
void trace_stack_leave(void);

/** The end of a stack for what calls from `here`; NULL: it may stay.  For preserve.c. */
MAI_TRACE_GENERAL_REGISTERS void *mai_trace_stack_take(uintptr_t here)
    __attribute__((visibility("default")));
MAI_TRACE_GENERAL_REGISTERS void mai_trace_stack_return(void *end)
    __attribute__((visibility("default")));

#endif /* MAI_TRACE_STACK_H */
