/*===-- functions.h - the function that an address lies in ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_FUNCTIONS_H
#define MINAS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MINAS_FUNCTION_NAME = 128 };

/** What a function is to whoever wants to know who has asked for memory. */
enum minas_function_kind {
  MINAS_FUNCTION_OWN,   /**< the program's: it asks for what it needs */
  MINAS_FUNCTION_FIRST, /**< the same, and nobody calls it: main(), that of a parallel region, or
                           what constructs static variables */
  MINAS_FUNCTION_PASSES /**< an allocator, a container, a run-time: it asks for others */
};

struct minas_function {
  enum minas_function_kind kind;
  char name[MINAS_FUNCTION_NAME]; /**< as minas_function_name(); FILE+0xOFFSET, as addr2line takes
                                       it, where no symbol is there; of one that passes, what
                                       it may have in line, or "" */
};

/** Find the function behind one of whose calls `code` is. */
void minas_function_at(uintptr_t code, struct minas_function *function);

/** Where `code` lies, as FILE+0xOFFSET. */
void minas_function_place(uintptr_t code, char *place, size_t size);

/** Have functions pass for allocators of which `is_wrapper` says so by their names.  Before others
 *  are asked for. */
void minas_functions_pass(bool (*is_wrapper)(const char *name));

/** Whether code is of a library that asks for memory on behalf of others.  Asks no symbols. */
bool minas_function_is_passed(const void *code);

#endif /* MINAS_FUNCTIONS_H */
