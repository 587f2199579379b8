/*===-- symbols.h - the static arrays in a program's symbol table *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_SYMBOLS_H
#define MAI_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/** Receives an object with static storage; `name` lives no longer than the call. */
typedef void mai_symbol_visitor(const char *name, uintptr_t start, size_t bytes);

/** Visit the writable objects of at least `least_bytes` bytes with static storage that the
 *  executable's symbol table names. An executable without symbols has none. */
void mai_symbols_visit(size_t least_bytes, mai_symbol_visitor *visit);

#endif /* MAI_SYMBOLS_H */
