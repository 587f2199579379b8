/*===-- binary.h - what the file of a program says of it --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nothing that is read from a file is believed: every part is read where the file says that it
 * lies, and is missing where the file ends before.  Reading takes no memory and nothing that a
 * program may redefine, as it is also done where a program is about to execute another.
 */
#ifndef LOADING_BINARY_H
#define LOADING_BINARY_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a file is to the kernel and to the dynamic linker. */
enum binary_kind {
  BINARY_UNKNOWN, /**< it cannot be read; the kernel may run it all the same */
  BINARY_DYNAMIC, /**< the dynamic linker loads libraries into it */
  BINARY_STATIC,  /**< nothing can be loaded into it */
  BINARY_32_BIT,
  BINARY_OTHER_PROCESSOR, /**< only an emulator runs it */
  BINARY_OTHER_LINKER,    /**< its dynamic linker is that of another C library */
  BINARY_CHECKS_MEMORY,   /**< it has MemorySanitizer, which must have compiled all libraries */
  BINARY_TEXT,            /**< a script that does not name its interpreter: /bin/sh runs it */
  BINARY_DATA             /**< neither a binary nor a script */
};

enum {
  BINARY_LIBRARY_NAME = 64,
  BINARY_MOST_INTERPRETERS = 5 /**< so many of scripts the kernel follows */
};

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Phdr) elf_segment;

/** @return false where the file has no such part */
bool binary_read(int file, uint64_t offset, void *part, size_t size);

/** A string of the file, cut off at `size`; "" where there is none. */
void binary_read_string(int file, uint64_t offset, char *text, size_t size);

bool binary_has_header(int file, elf_header *header);

bool binary_segment(int file, const elf_header *header, size_t index, elf_segment *segment);

/** The path of the dynamic linker that a binary asks for: "" for a static one. */
void binary_linker(int file, const elf_header *header, char *path, size_t size);

/** One of the kinds of binaries.  MAi can be loaded into what is like this program itself. */
enum binary_kind binary_kind(int file, const elf_header *header);

/** Visits the libraries that a binary is linked with, by their names. */
void binary_needs(int file, const elf_header *header,
                  void (*visit)(const char *library, void *context), void *context);

/** Whether a library is a sanitizer's run-time that ends the program where another library comes
 *  before it. */
bool binary_is_sanitizer(const char *library);

/** The interpreter that a first line such as "#! /bin/sh -e" names. @return whether it does */
bool binary_interpreter(const char *line, char *name, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LOADING_BINARY_H */
