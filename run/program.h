/*===-- program.h - the program that mai-run is to become -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/** What a file is to the kernel and to the dynamic linker. */
enum program_kind {
  PROGRAM_UNKNOWN, /**< it cannot be read; the kernel may run it all the same */
  PROGRAM_DYNAMIC, /**< the dynamic linker loads libraries into it */
  PROGRAM_STATIC,  /**< nothing can be loaded into it */
  PROGRAM_32_BIT,
  PROGRAM_OTHER_PROCESSOR, /**< only an emulator runs it */
  PROGRAM_OTHER_LINKER,    /**< its dynamic linker is that of another C library */
  PROGRAM_CHECKS_MEMORY,   /**< it has MemorySanitizer, which must have compiled all libraries */
  PROGRAM_TEXT,            /**< a script that does not name its interpreter: /bin/sh runs it */
  PROGRAM_DATA             /**< neither a binary nor a script */
};

enum { PROGRAM_LIBRARY_NAME = 64, PROGRAM_ID = 2 * 64 + 1 };

/** What is known of a program before it runs. */
struct program {
  char file[PATH_MAX]; /**< what the kernel loads: the program, or the interpreter of a script */
  bool script;         /**< it begins with #! */
  enum program_kind kind;
  bool privileged;   /**< it gets rights that the user does not have; then nothing is preloaded */
  bool needs_openmp; /**< it is linked with an OpenMP run-time */
  bool has_symbols;  /**< it has a symbol table */
  bool has_debug_information;
  char linker[PATH_MAX];                /**< the dynamic one that it asks for */
  char id[PROGRAM_ID];                  /**< that the linker has given it, as digits; "": none */
  char sanitizer[PROGRAM_LIBRARY_NAME]; /**< the run-time that wants to come before all other
                                             libraries; "": none */
};

/** Whether a library is a sanitizer's run-time that ends the program where another library comes
 *  before it. */
bool program_is_sanitizer(const char *library);

/** The file that execvp() would run. @return to be freed; NULL where there is none */
char *program_find(const char *name);

/** Find out what is known of the program in a file.  All but `file` and `script` is said of what
 *  the kernel loads. */
void program_examine(const char *file, struct program *program);

/** Find out whether a library has debug information in itself, and its id. */
void program_examine_library(const char *file, struct program *library);

#endif /* RUN_PROGRAM_H */
