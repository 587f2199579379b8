/*===-- function_name.h - how functions and variables are called in text *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_FUNCTION_NAME_H
#define MINAS_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>

/** What the functions are called by which compilers have static variables constructed, before
 *  main(). */
#define MINAS_STATIC_CONSTRUCTOR "{static}"

/** How a function is called whose symbol this is: as the source names it, with its classes and
 *  namespaces (of Fortran: its module), but without parameters, arguments of templates, and what
 *  compilers add for parts and copies of it: `Grid::allocate`.  A symbol that cannot be read is its
 *  own name.
 *  @param name receives it, cut off after size - 1 characters
 *  @return whether the symbol is that of a function which a compiler has made of a parallel region
 *    or a task of the function that is named */
bool minas_function_name(const char *symbol, char *name, size_t size);

/** How a function is called that a function of a template may have in line, as it is made for a
 *  lambda expression or a class of another function: `main::{lambda}::operator()` of
 * std::for_each().
 *  @return whether the symbol is that of such a template */
bool minas_function_in_line(const char *symbol, char *name, size_t size);

/** The same for a static variable: `ns::table`, `Grid::shared`, Fortran's `module%array` and
 *  `/common/`.
 *  @param fortran whether parts of the program are Fortran: only there a symbol with an underscore
 *    behind it is a common block */
void minas_variable_name(const char *symbol, bool fortran, char *name, size_t size);

#endif /* MINAS_FUNCTION_NAME_H */
