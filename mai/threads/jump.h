/*===-- jump.h - functions that pass a call on by a jump --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A function that stands in front of another's and calls it shows: the other returns to an address
 * that is not the program's, and there is a frame more on the stack.  LLVM's run-time tells both to
 * tools, vfork() may not be called so at all, and what dlopen() loads depends on who calls it.  A
 * jump leaves no trace, and takes arguments along that nobody knows the number of.
 */
#ifndef MAI_JUMP_H
#define MAI_JUMP_H

#include <stdint.h>

/** The arguments of the call that may be looked at and replaced: those in registers. */
struct mai_jump {
  uintptr_t arguments[6];
};

#if defined __x86_64__ && defined __LP64__ && !defined MAI_WITHOUT_JUMPS
#define MAI_HAS_JUMPS 1

/** The arguments behind these six, as many as the caller has given: they are on the stack, behind
 *  what mai_jump_on() and the call have put there. */
static inline const uintptr_t *mai_jump_more(const struct mai_jump *call) {
  return (const uintptr_t *)call + 80 / sizeof(uintptr_t);
}

/** Defines the exported function `name`, which jumps to where
 *  `void *handler(struct mai_jump *, unsigned number, const void *caller)` says; `caller` is the
 *  address to which the call returns.  All are names as in assembler, and the handler is hidden. */
#define MAI_JUMP(number, name, handler)                                                            \
  __asm__(".pushsection .text\n"                                                                   \
          "  .balign 16\n"                                                                         \
          "  .globl " name "\n"                                                                    \
          "  .type " name ", @function\n" name ":\n"                                               \
          "  .cfi_startproc\n"                                                                     \
          "  endbr64\n"                                                                            \
          "  movl $" #number ", %r10d\n"                                                           \
          "  leaq " handler "(%rip), %r11\n"                                                       \
          "  jmp mai_jump_on\n"                                                                    \
          "  .cfi_endproc\n"                                                                       \
          "  .size " name ", . - " name "\n"                                                       \
          "  .popsection\n")

#endif

#endif /* MAI_JUMP_H */
