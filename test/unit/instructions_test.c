/*===-- instructions_test.c - which memory code is about to access *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Pieces of code that the assembler makes, which are never run, and the addresses that are to be
 * found in each.  Each register has a number of its own.
 */
#include "mai/dynamic/instructions.h"

#include <stdbool.h>
#include <stdio.h>

#ifndef __x86_64__
int main(void) { return puts("all right") < 0; }
#else

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

/* What a register has. */
#define R(number) ((uintptr_t)((number) + 1) << 32)

#define CODE(name, text)                                                                           \
  __asm__(".pushsection .text\n" #name ":\n" text "\nret\n.popsection");                           \
  extern const unsigned char name[];

CODE(stencil, "1: movsd (%rax), %xmm0\n addsd -8(%rax), %xmm0\n mulsd %xmm1, %xmm0\n"
              "movsd %xmm0, (%rdx)\n addq $8, %rax\n addq $8, %rdx\n cmpq %rcx, %rax\n jne 1b")
CODE(indexed, "addsd 16(%r8,%rcx,8), %xmm0\n movl (%r13), %r9d\n movsd (%r10,%r9,8), %xmm0\n"
              "addq $1, %rcx\n subsd (%r12,%rcx,8), %xmm0")
CODE(around, "mulsd %xmm1, %xmm0\n addq $4096, %rsi\n cmpq %rsi, %rdi\n jne 2f\n"
             "movsd (%rbx), %xmm0\n 2: movsd (%rsi), %xmm0")
CODE(vectors, "vmovupd 64(%rax), %ymm1\n vfmadd231pd (%r9,%r10), %ymm1, %ymm2\n"
              "vmovapd %ymm2, (%r11)\n vzeroupper\n vinsertf128 $1, 32(%rdi), %ymm1, %ymm1")
CODE(wide, "vaddpd 64(%rax), %zmm1, %zmm2\n vmovupd %zmm2, (%r15)")
CODE(gather, "vgatherdpd %ymm1, (%rax,%xmm2,8), %ymm3\n movq (%rbx), %rax\n incl (%rax)")
CODE(strings, "rep movsb")
CODE(own_variables, "movq %fs:(%rax), %rcx\n leaq 8(%rax,%rbx), %rdx\n movq 8(%rsp), %rdx\n"
                    "nopl (%rax)\n prefetcht0 (%rbx)\n movb $1, 3(%rsi)")
CODE(lengths, "movabsq $0x1122334455667788, %r8\n testl $1, %ecx\n negl %ecx\n imull $100, %ecx, "
              "%edx\n cmpw $300, %dx\n shldl $3, %eax, %edx\n pshufd $1, %xmm0, %xmm0\n"
              "roundsd $1, %xmm0, %xmm0\n lock xaddl %eax, 4(%rdi)\n rorxl $3, %eax, %ecx\n"
              "cvttsd2si %xmm0, %r9\n orq (%r14), %r10")
CODE(steps, "leaq 4096(%rax), %rax\n subq $-128, %rbx\n decq %rcx\n movl (%rax), %edx\n"
            "movl (%rbx,%rcx,4), %edx")
CODE(calls, "call *%rax\n movl (%rbx), %eax")
CODE(far_loop, "3: sqrtsd %xmm0, %xmm0\n jmp 3b")

static const struct row {
  const char *what;
  const unsigned char *code;
  size_t count;
  uintptr_t addresses[MAI_MOST_OPERANDS];
} rows[] = {
    {"a loop goes on", stencil, 4, {R(RAX), R(RAX) - 8, R(RDX), R(RAX) + 8}},
    {"indices, but none that is loaded",
     indexed,
     3,
     {R(R8) + 8 * R(RCX) + 16, R(R13), R(R12) + 8 * (R(RCX) + 1)}},
    {"jumps ahead are not taken", around, 2, {R(RBX), R(RSI) + 4096}},
    {"AVX", vectors, 4, {R(RAX) + 64, R(R9) + R(R10), R(R11), R(RDI) + 32}},
    {"AVX-512 counts in vectors", wide, 2, {R(RAX) + 64, R(R15)}},
    {"gathers have no address", gather, 1, {R(RBX)}},
    {"copies", strings, 2, {R(RSI), R(RDI)}},
    {"neither a thread's own, nor what is not accessed", own_variables, 1, {R(RSI) + 3}},
    {"instructions of all lengths", lengths, 2, {R(RDI) + 4, R(R14)}},
    {"registers that step", steps, 2, {R(RAX) + 4096, R(RBX) + 128 + 4 * (R(RCX) - 1)}},
    {"nothing behind a call", calls, 0, {0}},
    {"an end to loops without memory", far_loop, 0, {0}},
};

static int byte_at(void *context, uintptr_t address) {
  (void)context;
  return *(const unsigned char *)address;
}

static bool check(const struct row *row) {
  struct mai_operand operands[MAI_MOST_OPERANDS];
  uint64_t registers[MAI_REGISTERS];
  for (unsigned i = 0; i < MAI_REGISTERS; i++)
    registers[i] = R(i);
  size_t count = mai_operands_at(&(struct mai_code){byte_at, NULL}, (uintptr_t)row->code, operands);
  bool right = count == row->count;
  for (size_t i = 0; i < count; i++) {
    uintptr_t address = mai_operand_address(&operands[i], registers);
    right &= i < row->count && address == row->addresses[i];
    if (!right)
      printf("  %zu: %#zx\n", i, address);
  }
  if (!right)
    printf("%s: expected %zu, found %zu\n", row->what, row->count, count);
  return right;
}

static int nothing(void *context, uintptr_t address) {
  (void)context;
  (void)address;
  return -1;
}

/* Any bytes whatever end somewhere. */
static int noise(void *context, uintptr_t address) {
  uint64_t *seed = context;
  *seed = (*seed + address) * 6364136223846793005U + 1442695040888963407U;
  return (int)(*seed >> 56);
}

static bool stands_anything(void) {
  struct mai_operand operands[MAI_MOST_OPERANDS];
  uint64_t seed = 1;
  for (unsigned i = 0; i < 100000; i++)
    if (mai_operands_at(&(struct mai_code){noise, &seed}, i, operands) > MAI_MOST_OPERANDS)
      return false;
  return mai_operands_at(&(struct mai_code){nothing, NULL}, 0, operands) == 0;
}

int main(void) {
  unsigned failed = !stands_anything();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    failed += !check(&rows[i]);
  printf(failed ? "%u wrong\n" : "all right\n", failed);
  return failed != 0;
}
#endif
