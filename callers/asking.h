/*===-- asking.h - who asks an allocator for memory -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For functions that stand in front of an allocator's.  What that takes of another, or maps, while
 * it serves a block that is known comes by them as well, and is its own affair: no block by itself.
 */
#ifndef MINAS_ASKING_H
#define MINAS_ASKING_H

#include <stdbool.h>
#include <stdint.h>

#include "functions.h"

/** A call of an allocation function. */
struct minas_caller {
  const void *code; /**< behind the call */
  uintptr_t stack;  /**< the stack pointer there */
};

/** The call of the function that this stands in. */
#define MINAS_CALLER                                                                               \
  ((struct minas_caller){__builtin_extract_return_addr(__builtin_return_address(0)),               \
                         (uintptr_t)__builtin_dwarf_cfa()})

/** What an allocator answers.
 *  @param asked_from a variable of the thread's: where its stack was when it last asked for a block
 *         that is known; 0: it does not ask.  An exception leaves it as it is: no code of ours is
 *         run while the stack is unwound
 *  @param is_known whether the block will be */
#define MINAS_ASK(asked_from, is_known, call)                                                      \
  (__extension__({                                                                                 \
    uintptr_t asked_before = (asked_from);                                                         \
    if (is_known)                                                                                  \
      (asked_from) = (uintptr_t)__builtin_dwarf_cfa();                                             \
    __typeof__(call) answer = (call);                                                              \
    (asked_from) = asked_before;                                                                   \
    answer;                                                                                        \
  }))

/** Whether it is the allocator being asked that calls. */
static inline bool minas_is_asked_inside(uintptr_t asked_from, struct minas_caller caller) {
  return caller.stack < asked_from && minas_function_is_passed(caller.code);
}

#endif /* MINAS_ASKING_H */
