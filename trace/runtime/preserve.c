/*===-- preserve.c - calls that change no register ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What gcc_plugin.cpp puts into functions counts without a call, and gcc keeps its values in
 * registers across it.  So the calls that it makes in the rare cases save all that a function may
 * change: first the general registers, which do for an access that is not to be counted; around
 * the rest those of the vector units, too.  The latter are saved where stack.h says, since they
 * take more than a small stack may have.
 *
 * The address comes in %rax, which is not preserved, nor are the flags.
 */
#ifdef __x86_64__

#include <cpuid.h>
#include <stdint.h>

#include "directory.h"

enum { LEGACY_BYTES = 512, HEADER_BYTES = 64, NO_XSAVE = 1 };

#define COMPONENTS "0xe7" /* x87, SSE, AVX and AVX-512 */
#define COMPONENT_BITS 0xe7

/* What xsave needs of these; 0: not yet known. */
uint64_t mai_trace_xsave_bytes __attribute__((visibility("hidden")));

MAI_TRACE_GENERAL_REGISTERS static uint64_t xsave_bytes(void) {
  unsigned features;
  unsigned ignored;
  if (!__get_cpuid(1, &ignored, &ignored, &features, &ignored) || !(features & bit_OSXSAVE))
    return NO_XSAVE;
  uint64_t bytes = LEGACY_BYTES + HEADER_BYTES;
  for (unsigned component = 2; component < 8; component++) {
    unsigned size = 0;
    unsigned offset = 0;
    if ((COMPONENT_BITS >> component & 1) &&
        __get_cpuid_count(0xd, component, &size, &offset, &ignored, &ignored) && size &&
        offset + size > bytes)
      bytes = offset + size;
  }
  return bytes;
}

void mai_trace_measure_registers(void) __attribute__((visibility("hidden")));
MAI_TRACE_GENERAL_REGISTERS void mai_trace_measure_registers(void) {
  mai_trace_xsave_bytes = xsave_bytes();
}

#define FUNCTION(name, body)                                                                       \
  ".globl " name "\n.type " name ", @function\n" name ":\n" body ".size " name ", . - " name "\n"

/* %r9 is which function, %r8 the one that may do without it. */
#define DEFINE_CALL(name, function, kind, first)                                                   \
  FUNCTION(name, "  cmpb $0, mai_trace_ready(%rip)\n"                                              \
                 "  je mai_trace_skip\n"                                                           \
                 "  pushq %r8\n"                                                                   \
                 "  pushq %r9\n"                                                                   \
                 "  pushq %rsi\n"                                                                  \
                 "  movl $" kind ", %esi\n"                                                        \
                 "  movq " first "@GOTPCREL(%rip), %r8\n"                                          \
                 "  movq " function "@GOTPCREL(%rip), %r9\n"                                       \
                 "  jmp mai_trace_preserve\n")

/* %rbx is the address, %r12 the kind, %r13 which function, %r14 the stack that was taken; the
   caller is 13 registers above %rbp. */
__asm__(".text\n"
        ".type mai_trace_preserve, @function\n"
        "mai_trace_preserve:\n"
        "  pushq %rdi\n"
        "  pushq %rdx\n"
        "  pushq %rcx\n"
        "  pushq %r10\n"
        "  pushq %r11\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %rbp\n"
        "  movq %rsp, %rbp\n"
        "  andq $-16, %rsp\n"
        "  cld\n"
        "  movq %rax, %rbx\n"
        "  movl %esi, %r12d\n"
        "  movq %r9, %r13\n"
        "  movq %rbx, %rdi\n"
        "  movq 104(%rbp), %rdx\n"
        "  callq *%r8\n"
        "  testl %eax, %eax\n"
        "  jnz 5f\n"
        "  cmpq $0, mai_trace_xsave_bytes(%rip)\n"
        "  jne 2f\n"
        "  callq mai_trace_measure_registers\n"
        "2:\n"
        "  movq %rsp, %rdi\n"
        "  callq *mai_trace_stack_take@GOTPCREL(%rip)\n"
        "  movq %rax, %r14\n"
        "  testq %rax, %rax\n"
        "  cmovnzq %rax, %rsp\n"
        "  movq %rbx, %rdi\n"
        "  movl %r12d, %esi\n"
        "  movq mai_trace_xsave_bytes(%rip), %rcx\n"
        "  cmpq $1, %rcx\n" /* NO_XSAVE */
        "  je 3f\n"
        "  subq %rcx, %rsp\n"
        "  andq $-64, %rsp\n"
        "  xorl %eax, %eax\n"
        "  movq %rax, 512(%rsp)\n" /* xrstor refuses what the header may not have */
        "  movq %rax, 520(%rsp)\n"
        "  movq %rax, 528(%rsp)\n"
        "  movq %rax, 536(%rsp)\n"
        "  movq %rax, 544(%rsp)\n"
        "  movq %rax, 552(%rsp)\n"
        "  movq %rax, 560(%rsp)\n"
        "  movq %rax, 568(%rsp)\n"
        "  movl $" COMPONENTS ", %eax\n"
        "  xorl %edx, %edx\n"
        "  xsave (%rsp)\n"
        "  movq 104(%rbp), %rdx\n"
        "  callq *%r13\n"
        "  movl $" COMPONENTS ", %eax\n"
        "  xorl %edx, %edx\n"
        "  xrstor (%rsp)\n"
        "  jmp 4f\n"
        "3:\n"
        "  subq $512, %rsp\n"
        "  fxsave (%rsp)\n"
        "  movq 104(%rbp), %rdx\n"
        "  callq *%r13\n"
        "  fxrstor (%rsp)\n"
        "4:\n"
        "  movq %rbp, %rsp\n"
        "  andq $-16, %rsp\n"
        "  movq %r14, %rdi\n"
        "  testq %rdi, %rdi\n"
        "  jz 5f\n"
        "  callq *mai_trace_stack_return@GOTPCREL(%rip)\n"
        "5:\n"
        "  movq %rbp, %rsp\n"
        "  popq %rbp\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %r11\n"
        "  popq %r10\n"
        "  popq %rcx\n"
        "  popq %rdx\n"
        "  popq %rdi\n"
        "  popq %rsi\n"
        "  popq %r9\n"
        "  popq %r8\n"
        "mai_trace_skip:\n"
        "  retq\n"
        ".size mai_trace_preserve, . - mai_trace_preserve\n"
        /**/
        DEFINE_CALL("mai_trace_missing_read", "mai_trace_count_missing", "0", "mai_trace_unwanted")
            DEFINE_CALL("mai_trace_missing_write", "mai_trace_count_missing", "1",
                        "mai_trace_unwanted") DEFINE_CALL("mai_trace_began_read", "mai_trace_began",
                                                          "0", "mai_trace_is_part")
                DEFINE_CALL("mai_trace_began_write", "mai_trace_began", "1", "mai_trace_is_part"));

#endif
