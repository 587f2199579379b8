/*===-- function_index.h - the functions of files, by address ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A large program asks for memory from thousands of places.  Its table of symbols is read once, not
 * for each of them.
 *
 * What is said here holds for any thread, and in a child of fork().
 */
#ifndef MINAS_FUNCTION_INDEX_H
#define MINAS_FUNCTION_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Find the symbol of the function that has an address.
 *  @param file of the object that has it; `bias` is where that is loaded, see symbols.h
 *  @return it, for good; NULL where there is none, or no memory */
const char *minas_function_symbol(const char *file, uintptr_t bias, uintptr_t code);

#endif /* MINAS_FUNCTION_INDEX_H */
