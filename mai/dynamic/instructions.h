/*===-- instructions.h - which memory code is about to access ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A thread that is interrupted is most often waiting for memory, and what it accesses next lies
 * near what it waits for.  So its next instructions are read, as far as they are sure to follow,
 * and their operands of memory taken as sums of the registers that it has now.
 *
 * It knows the lengths of all instructions of x86-64 and, of those that programs compute addresses
 * with, what they do to registers.  It is no more exact than statistics need: a wrong address is
 * one touch of many.
 */
#ifndef MAI_INSTRUCTIONS_H
#define MAI_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

enum {
  MAI_REGISTERS = 16, /* in the order of their numbers in instructions: rax, rcx, rdx, rbx, ... */
  MAI_MOST_OPERANDS = 4,
  MAI_NO_REGISTER = MAI_REGISTERS
};

/** An address: base + index * scale + offset. */
struct mai_operand {
  uint8_t base; /**< MAI_NO_REGISTER: none */
  uint8_t index;
  uint8_t scale;
  uint64_t offset;
};

/** The program's code. */
struct mai_code {
  /** @return a byte of it; negative: it cannot be read */
  int (*byte)(void *context, uintptr_t address);
  void *context;
};

/** The memory that a thread at `address` accesses next.
 *  @param operands room for MAI_MOST_OPERANDS
 *  @return how many are known */
size_t mai_operands_at(const struct mai_code *code, uintptr_t address,
                       struct mai_operand *operands);

/** The address of one, by the registers that the thread had. */
uintptr_t mai_operand_address(const struct mai_operand *operand, const uint64_t *registers);

#endif /* MAI_INSTRUCTIONS_H */
