/*===-- jump.c - functions that pass a call on by a jump --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "jump.h"

#if MAI_HAS_JUMPS

/* r10: the function's number, r11: its handler.  The six arguments are put where struct mai_call
   has them, and taken back from there.  No function here takes arguments in vector registers; of
   how many there are, rax tells those that have no prototype. */
__asm__(".pushsection .text\n"
        "  .balign 16\n"
        "  .globl mai_jump_on\n"
        "  .hidden mai_jump_on\n"
        "  .type mai_jump_on, @function\n"
        "mai_jump_on:\n"
        "  .cfi_startproc\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  subq $64, %rsp\n"
        "  movq %rdi, -64(%rbp)\n"
        "  movq %rsi, -56(%rbp)\n"
        "  movq %rdx, -48(%rbp)\n"
        "  movq %rcx, -40(%rbp)\n"
        "  movq %r8, -32(%rbp)\n"
        "  movq %r9, -24(%rbp)\n"
        "  movq %rax, -16(%rbp)\n"
        "  leaq -64(%rbp), %rdi\n"
        "  movl %r10d, %esi\n"
        "  movq 8(%rbp), %rdx\n"
        "  call *%r11\n"
        "  movq %rax, %r11\n"
        "  movq -64(%rbp), %rdi\n"
        "  movq -56(%rbp), %rsi\n"
        "  movq -48(%rbp), %rdx\n"
        "  movq -40(%rbp), %rcx\n"
        "  movq -32(%rbp), %r8\n"
        "  movq -24(%rbp), %r9\n"
        "  movq -16(%rbp), %rax\n"
        "  leave\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  jmp *%r11\n"
        "  .cfi_endproc\n"
        "  .size mai_jump_on, . - mai_jump_on\n"
        "  .popsection\n");

#endif
