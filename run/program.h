/*===-- program.h - the program that mai-run is to become -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

#include "loading/binary.h"

enum { PROGRAM_ID = 2 * 64 + 1 };

/** What is known of a program before it runs. */
struct program {
  char file[PATH_MAX]; /**< what the kernel loads: the program, or the interpreter of a script */
  bool script;         /**< it begins with #! */
  enum binary_kind kind;
  bool privileged;   /**< it gets rights that the user does not have; then nothing is preloaded */
  bool needs_openmp; /**< it is linked with an OpenMP run-time */
  bool has_symbols;  /**< it has a symbol table */
  bool has_debug_information;
  char linker[PATH_MAX];               /**< the dynamic one that it asks for */
  char id[PROGRAM_ID];                 /**< that the linker has given it, as digits; "": none */
  char sanitizer[BINARY_LIBRARY_NAME]; /**< the run-time that wants to come before all other
                                             libraries; "": none */
};

/** The file that execvp() would run. @return to be freed; NULL where there is none */
char *program_find(const char *name);

/** Find out what is known of the program in a file.  All but `file` and `script` is said of what
 *  the kernel loads. */
void program_examine(const char *file, struct program *program);

/** Find out whether a library has debug information in itself, and its id. */
void program_examine_library(const char *file, struct program *library);

#endif /* RUN_PROGRAM_H */
