/*===-- instructions.c - which memory code is about to access ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Intel's manual, volume 2, appendix A, has the tables of opcodes, chapter 2 what precedes and
 * follows them.
 */
#include "instructions.h"

#include <stdbool.h>

enum { MOST_INSTRUCTIONS = 16, MOST_PREFIXES = 14 };

enum number { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* Which opcodes a map of them has, and what follows an opcode. */
enum map { ONE_BYTE, TWO_BYTES, THREE_BYTES_38, THREE_BYTES_3A, OTHER_MAPS };

/*
 * -  nothing                     m  operands (ModRM)
 * b  a byte                      M  operands, a byte
 * d  four bytes, two with 66     D  operands, four bytes, two with 66
 * w  two bytes                   t  operands, a byte where they are TEST's
 * e  three bytes                 T  operands, four bytes where they are TEST's
 * a  an address                  i  four bytes, eight with REX.W
 * j  four bytes, of a jump       p  a prefix
 * .  no instruction, or what is decoded elsewhere
 */
static const char one_byte[] = "mmmmbd..mmmmbd.."  /* 0 */
                               "mmmmbd..mmmmbd.."  /* 1 */
                               "mmmmbdp.mmmmbdp."  /* 2 */
                               "mmmmbdp.mmmmbdp."  /* 3 */
                               "................"  /* 4: REX */
                               "----------------"  /* 5 */
                               "...mppppdDbM----"  /* 6 */
                               "bbbbbbbbbbbbbbbb"  /* 7 */
                               "MD.Mmmmmmmmmmmmm"  /* 8 */
                               "----------.-----"  /* 9 */
                               "aaaa----bd------"  /* a */
                               "bbbbbbbbiiiiiiii"  /* b */
                               "MMw-..MDe-w--b.-"  /* c */
                               "mmmm...-mmmmmmmm"  /* d */
                               "bbbbbbbbjj.b----"  /* e */
                               "p-pp--tT------mm"; /* f */

static const char two_bytes[] = "mmmm.-----.-.m-."  /* 0 */
                                "mmmmmmmmmmmmmmmm"  /* 1 */
                                "mmmmmmmmmmmmmmmm"  /* 2 */
                                "--------........"  /* 3 */
                                "mmmmmmmmmmmmmmmm"  /* 4 */
                                "mmmmmmmmmmmmmmmm"  /* 5 */
                                "mmmmmmmmmmmmmmmm"  /* 6 */
                                "MMMMmmm-mmmmmmmm"  /* 7 */
                                "jjjjjjjjjjjjjjjj"  /* 8 */
                                "mmmmmmmmmmmmmmmm"  /* 9 */
                                "---mMm..---mMmmm"  /* a */
                                "mmmmmmmmmmMmmmmm"  /* b */
                                "mmMmMMMm--------"  /* c */
                                "mmmmmmmmmmmmmmmm"  /* d */
                                "mmmmmmmmmmmmmmmm"  /* e */
                                "mmmmmmmmmmmmmmmm"; /* f */

struct instruction {
  enum map map;
  uint8_t opcode;
  char form;
  bool vector;                             /* VEX or EVEX */
  bool wide;                               /* REX.W */
  bool narrow;                             /* 66 */
  bool segmented;                          /* an address of a thread's own variables */
  bool halved;                             /* an address of 32 bits */
  uint8_t high_reg, high_index, high_base; /* 8, or 0 */
  uint8_t other;                           /* the third operand of VEX */
  uint8_t step;                            /* by which EVEX counts an offset of a byte; else 1 */
  uint8_t reg, rm;                         /* registers */
  uint8_t extension;                       /* the bits of `reg` that choose among instructions */
  bool in_memory;                          /* rm is not a register, but `operand` */
  struct mai_operand operand;
  bool relative; /* to the next instruction */
  int64_t immediate;
};

struct reader {
  const struct mai_code *code;
  uintptr_t at;
  bool failed;
};

/*===-- Bytes --------------------------------------------------------------===*/

static uint8_t take(struct reader *reader) {
  int byte = reader->failed ? -1 : reader->code->byte(reader->code->context, reader->at);
  if (byte < 0) {
    reader->failed = true;
    return 0;
  }
  reader->at++;
  return (uint8_t)byte;
}

/* A signed number of some bytes. */
static int64_t take_number(struct reader *reader, unsigned bytes) {
  uint64_t number = 0;
  for (unsigned i = 0; i < bytes; i++)
    number |= (uint64_t)take(reader) << (8 * i);
  unsigned unused = 64 - 8 * bytes;
  return bytes ? (int64_t)(number << unused) >> unused : 0;
}

/*===-- Prefixes and opcodes -----------------------------------------------===*/

static void note_prefix(struct instruction *its, uint8_t prefix) {
  its->narrow |= prefix == 0x66;
  its->halved |= prefix == 0x67;
  its->segmented |= prefix == 0x64 || prefix == 0x65;
}

static void note_rex(struct instruction *its, uint8_t rex) {
  its->wide = rex & 8;
  its->high_reg = rex & 4 ? 8 : 0;
  its->high_index = rex & 2 ? 8 : 0;
  its->high_base = rex & 1 ? 8 : 0;
}

/* The bits of VEX and EVEX are those of REX, turned over. */
static void note_vector(struct instruction *its, uint8_t bits, unsigned map) {
  its->vector = true;
  note_rex(its, (uint8_t)(~bits >> 5) & 7);
  its->map = map < OTHER_MAPS ? (enum map)map : OTHER_MAPS;
}

static void take_vector(struct reader *reader, struct instruction *its, uint8_t first) {
  uint8_t bits = take(reader);
  uint8_t last = bits;
  note_vector(its, first == 0xc5 ? bits | 0x60 : bits, first == 0xc5 ? 1 : bits & 7);
  if (first != 0xc5)
    last = take(reader);
  its->wide = first != 0xc5 && last & 0x80;
  its->other = (uint8_t)(~last >> 3) & 15;
  if (first == 0x62)
    its->step = (uint8_t)(16 << (take(reader) >> 5 & 3));
  its->opcode = take(reader);
}

static void take_escaped(struct reader *reader, struct instruction *its) {
  its->map = TWO_BYTES;
  its->opcode = take(reader);
  if (its->opcode != 0x38 && its->opcode != 0x3a)
    return;
  its->map = its->opcode == 0x38 ? THREE_BYTES_38 : THREE_BYTES_3A;
  its->opcode = take(reader);
}

static void take_opcode(struct reader *reader, struct instruction *its) {
  uint8_t byte = take(reader);
  for (unsigned i = 0; i < MOST_PREFIXES && one_byte[byte] == 'p'; i++) {
    note_prefix(its, byte);
    byte = take(reader);
  }
  if ((byte & 0xf0) == 0x40) {
    note_rex(its, byte);
    byte = take(reader);
  }
  its->opcode = byte;
  if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
    take_vector(reader, its, byte);
  else if (byte == 0x0f)
    take_escaped(reader, its);
}

static char form_of(const struct instruction *its) {
  switch (its->map) {
  case ONE_BYTE:
    return one_byte[its->opcode];
  case TWO_BYTES:
    return two_bytes[its->opcode];
  case THREE_BYTES_3A:
    return 'M';
  default:
    return 'm';
  }
}

/*===-- Operands -----------------------------------------------------------===*/

static void take_offset(struct reader *reader, struct instruction *its, unsigned mode) {
  if (mode == 1)
    its->operand.offset = (uint64_t)(take_number(reader, 1) * its->step);
  else if (mode == 2)
    its->operand.offset = (uint64_t)take_number(reader, 4);
}

/* Base, index and scale. */
static void take_sib(struct reader *reader, struct instruction *its, unsigned *mode) {
  uint8_t sib = take(reader);
  uint8_t index = (sib >> 3 & 7) | its->high_index;
  its->operand.scale = (uint8_t)(1 << (sib >> 6));
  its->operand.index = index == RSP ? MAI_NO_REGISTER : index;
  if (*mode == 0 && (sib & 7) == RBP) {
    its->operand.base = MAI_NO_REGISTER;
    *mode = 2;
  } else {
    its->operand.base = (sib & 7) | its->high_base;
  }
}

static void take_operands(struct reader *reader, struct instruction *its) {
  uint8_t byte = take(reader);
  unsigned mode = byte >> 6;
  its->extension = byte >> 3 & 7;
  its->reg = its->extension | its->high_reg;
  its->rm = (byte & 7) | its->high_base;
  its->in_memory = mode != 3;
  if (!its->in_memory)
    return;
  if ((byte & 7) == RSP) {
    take_sib(reader, its, &mode);
  } else if (mode == 0 && (byte & 7) == RBP) {
    its->relative = true;
    mode = 2;
  } else {
    its->operand.base = its->rm;
  }
  take_offset(reader, its, mode);
}

static unsigned immediate_bytes(const struct instruction *its) {
  unsigned four = its->narrow ? 2 : 4;
  switch (its->form) {
  case 'b':
  case 'M':
    return 1;
  case 'd':
  case 'D':
    return four;
  case 'j':
    return 4;
  case 'w':
    return 2;
  case 'e':
    return 3;
  case 'a':
    return 8;
  case 'i':
    return its->wide ? 8 : four;
  case 't':
    return its->extension < 2 ? 1 : 0;
  case 'T':
    return its->extension < 2 ? four : 0;
  default:
    return 0;
  }
}

static bool has_operands(char form) {
  return form == 'm' || form == 'M' || form == 'D' || form == 't' || form == 'T';
}

/* @return whether it is one that is known */
static bool decode(struct reader *reader, struct instruction *its) {
  *its = (struct instruction){
      .step = 1, .operand = {.base = MAI_NO_REGISTER, .index = MAI_NO_REGISTER, .scale = 1}};
  take_opcode(reader, its);
  its->form = form_of(its);
  if (its->form == '.' || its->form == 'p')
    return false;
  if (has_operands(its->form))
    take_operands(reader, its);
  its->immediate = take_number(reader, immediate_bytes(its));
  if (its->relative)
    its->operand.offset += reader->at;
  return !reader->failed;
}

/*===-- What follows -------------------------------------------------------===*/

static bool is_conditional(const struct instruction *its) {
  return (its->map == ONE_BYTE &&
          (its->opcode >> 4 == 7 || (its->opcode >= 0xe0 && its->opcode <= 0xe3))) ||
         (its->map == TWO_BYTES && !its->vector && its->opcode >> 4 == 8);
}

static bool is_jump(const struct instruction *its) {
  return its->map == ONE_BYTE && (its->opcode == 0xe9 || its->opcode == 0xeb);
}

/* Calls, returns, jumps to where a register says, and calls of the kernel. */
static bool leaves(const struct instruction *its) {
  if (its->map == TWO_BYTES && !its->vector)
    return its->opcode == 0x05 || its->opcode == 0x0b || its->opcode == 0x34;
  if (its->map != ONE_BYTE)
    return false;
  switch (its->opcode) {
  case 0xc2:
  case 0xc3:
  case 0xca:
  case 0xcb:
  case 0xcc:
  case 0xcd:
  case 0xcf:
  case 0xe8:
  case 0xf4:
    return true;
  case 0xff:
    return its->extension >= 2 && its->extension <= 5;
  default:
    return false;
  }
}

/* Loops go on more often than they end. */
static void follow(struct reader *reader, const struct instruction *its) {
  if (is_jump(its) || (is_conditional(its) && its->immediate < 0))
    reader->at += (uintptr_t)its->immediate;
}

/*===-- What it does to registers ------------------------------------------===*/

/* What is known of a register: how far it is from what it was, or nothing. */
struct registers {
  bool lost[MAI_REGISTERS];
  uint64_t moved[MAI_REGISTERS];
};

static void lose(struct registers *registers, uint8_t number) { registers->lost[number] = true; }

static void lose_operand(struct registers *registers, const struct instruction *its) {
  if (!its->in_memory)
    lose(registers, its->rm);
}

static void move(struct registers *registers, const struct instruction *its, int64_t by) {
  if (!its->in_memory)
    registers->moved[its->rm] += (uint64_t)by;
}

/* ADD, OR, ADC, SBB, AND, SUB, XOR, CMP. */
enum { ADD = 0, SUBTRACT = 5, COMPARE = 7 };

static void calculate_by_constant(struct registers *registers, const struct instruction *its) {
  if (its->extension == ADD)
    move(registers, its, its->immediate);
  else if (its->extension == SUBTRACT)
    move(registers, its, -its->immediate);
  else if (its->extension != COMPARE)
    lose_operand(registers, its);
}

static void calculate(struct registers *registers, const struct instruction *its) {
  if (its->opcode >> 3 == COMPARE)
    return;
  if (its->form != 'm')
    lose(registers, RAX);
  else if (its->opcode & 2)
    lose(registers, its->reg);
  else
    lose_operand(registers, its);
}

/* LEA adds a number to a register, or computes something else. */
static void load_address(struct registers *registers, const struct instruction *its) {
  if (its->operand.base == its->reg && its->operand.index == MAI_NO_REGISTER)
    registers->moved[its->reg] += its->operand.offset;
  else
    lose(registers, its->reg);
}

static void increment(struct registers *registers, const struct instruction *its) {
  if (its->extension < 2)
    move(registers, its, its->extension ? -1 : 1);
}

/* NOT, NEG, and multiplications and divisions of rdx:rax. */
static void calculate_alone(struct registers *registers, const struct instruction *its) {
  if (its->extension >= 4) {
    lose(registers, RAX);
    lose(registers, RDX);
  } else if (its->extension >= 2) {
    lose_operand(registers, its);
  }
}

static void lose_strings(struct registers *registers) {
  lose(registers, RAX);
  lose(registers, RCX);
  lose(registers, RSI);
  lose(registers, RDI);
}

/* Instructions whose result goes where `reg` says. */
static bool is_to_reg(uint8_t opcode) {
  return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || opcode == 0x8a || opcode == 0x8b ||
         opcode == 0x86 || opcode == 0x87;
}

/* And where `rm` says: moves, exchanges, shifts. */
static bool is_to_rm(uint8_t opcode) {
  return opcode == 0x86 || opcode == 0x87 || opcode == 0x88 || opcode == 0x89 || opcode == 0x8f ||
         opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
         opcode >> 2 == 0xd0 >> 2;
}

/* Exchanges with rax, pops and constants. */
static bool names_register(uint8_t opcode) {
  return (opcode > 0x90 && opcode < 0x98) || opcode >> 3 == 0x58 >> 3 || opcode >> 4 == 0xb;
}

static bool is_to_rax(uint8_t opcode) {
  return (opcode > 0x90 && opcode < 0x9a) || opcode == 0xa0 || opcode == 0xa1;
}

static bool is_of_strings(uint8_t opcode) {
  return opcode >> 2 == 0xa4 >> 2 || (opcode >= 0xaa && opcode <= 0xaf);
}

static void lose_results(struct registers *registers, const struct instruction *its) {
  if (is_to_reg(its->opcode))
    lose(registers, its->reg);
  if (is_to_rm(its->opcode))
    lose_operand(registers, its);
  if (names_register(its->opcode))
    lose(registers, (its->opcode & 7) | its->high_base);
  if (is_to_rax(its->opcode)) {
    lose(registers, RAX);
    lose(registers, RDX);
  }
  if (is_of_strings(its->opcode))
    lose_strings(registers);
}

static void change_by_one_byte(struct registers *registers, const struct instruction *its) {
  switch (its->opcode) {
  case 0x80:
  case 0x81:
  case 0x83:
    calculate_by_constant(registers, its);
    return;
  case 0x8d:
    load_address(registers, its);
    return;
  case 0xf6:
  case 0xf7:
    calculate_alone(registers, its);
    return;
  case 0xfe:
  case 0xff:
    increment(registers, its);
    return;
  default:
    if (its->opcode < 0x40)
      calculate(registers, its);
    else
      lose_results(registers, its);
  }
}

/* Of the instructions with two bytes that have results in registers for addresses. */
static bool is_of_integers(uint8_t opcode) {
  return opcode >> 4 == 4 || opcode >> 4 == 9 || opcode >> 4 == 0xb || opcode == 0xa4 ||
         opcode == 0xa5 || opcode >= 0xab || opcode == 0x2c || opcode == 0x2d || opcode == 0x50 ||
         opcode == 0x7e;
}

/* Vectors come out of most of the instructions from c2 on. */
static bool has_vectors(uint8_t opcode) { return opcode > 0xc1 && opcode != 0xd7; }

static void change_by_two_bytes(struct registers *registers, const struct instruction *its) {
  if (!its->vector && its->opcode >= 0xc8 && its->opcode <= 0xcf) {
    lose(registers, (its->opcode & 7) | its->high_base); /* BSWAP */
  } else if (is_of_integers(its->opcode) && !has_vectors(its->opcode)) {
    lose(registers, its->reg);
    lose_operand(registers, its);
  }
}

static void change(struct registers *registers, const struct instruction *its) {
  if (its->map == ONE_BYTE) {
    change_by_one_byte(registers, its);
  } else if (its->map == TWO_BYTES) {
    change_by_two_bytes(registers, its);
  } else if (its->opcode >= 0xf0) { /* single bits */
    lose(registers, its->reg);
    lose(registers, its->other);
  }
}

/*===-- Which memory -------------------------------------------------------===*/

/* Gathers have a vector of indices; others only compute an address, or do nothing with it. */
static bool accesses(const struct instruction *its) {
  if (!its->in_memory || its->segmented || its->halved)
    return false;
  if (its->map == ONE_BYTE)
    return its->opcode != 0x8d;
  if (its->map == TWO_BYTES)
    return its->opcode != 0x0d && (its->opcode < 0x18 || its->opcode > 0x1f) && its->opcode != 0xae;
  return its->map != THREE_BYTES_38 || !its->vector ||
         ((its->opcode & 0xfc) != 0x90 && (its->opcode & 0xfc) != 0xa0);
}

struct found {
  struct mai_operand *operands;
  size_t count;
};

static bool is_lost(const struct registers *registers, uint8_t number) {
  return number != MAI_NO_REGISTER && registers->lost[number];
}

static void add(struct found *found, const struct registers *registers,
                struct mai_operand operand) {
  if (found->count == MAI_MOST_OPERANDS || is_lost(registers, operand.base) ||
      is_lost(registers, operand.index) || operand.base == RSP)
    return;
  if (operand.base != MAI_NO_REGISTER)
    operand.offset += registers->moved[operand.base];
  if (operand.index != MAI_NO_REGISTER)
    operand.offset += registers->moved[operand.index] * operand.scale;
  found->operands[found->count++] = operand;
}

/* Copying, comparing, filling, loading, searching: through rsi and rdi. */
static void add_strings(struct found *found, const struct registers *registers, uint8_t opcode) {
  unsigned kind = opcode >> 1;
  bool reads = kind == 0xa4 >> 1 || kind == 0xa6 >> 1 || kind == 0xac >> 1;
  bool has_other = reads ? kind != 0xac >> 1 : kind == 0xaa >> 1 || kind == 0xae >> 1;
  if (reads)
    add(found, registers, (struct mai_operand){RSI, MAI_NO_REGISTER, 1, 0});
  if (has_other)
    add(found, registers, (struct mai_operand){RDI, MAI_NO_REGISTER, 1, 0});
}

size_t mai_operands_at(const struct mai_code *code, uintptr_t address,
                       struct mai_operand *operands) {
  struct reader reader = {.code = code, .at = address};
  struct registers registers = {.lost = {false}};
  struct found found = {.operands = operands};
  struct instruction its;
  for (unsigned i = 0; i < MOST_INSTRUCTIONS && found.count < MAI_MOST_OPERANDS; i++) {
    if (!decode(&reader, &its))
      break;
    if (accesses(&its))
      add(&found, &registers, its.operand);
    if (its.map == ONE_BYTE)
      add_strings(&found, &registers, its.opcode);
    if (leaves(&its))
      break;
    change(&registers, &its);
    follow(&reader, &its);
  }
  return found.count;
}

uintptr_t mai_operand_address(const struct mai_operand *operand, const uint64_t *registers) {
  uint64_t address = operand->offset;
  if (operand->base != MAI_NO_REGISTER)
    address += registers[operand->base];
  if (operand->index != MAI_NO_REGISTER)
    address += registers[operand->index] * operand->scale;
  return (uintptr_t)address;
}
