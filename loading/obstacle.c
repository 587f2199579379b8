/*===-- obstacle.c - why a program takes no libraries of ours ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Another dynamic linker complains of libraries that it cannot load, or ends the program, and so do
 * sanitizers that do not come first.
 */
#include "obstacle.h"

#include <stdbool.h>
#include <string.h>

#include "binary.h"
#include "runtime/system.h"

/* Of a script's first line the kernel reads so much. */
enum { FIRST_LINE = 256 };

static void note_sanitizer(const char *library, void *found) {
  if (binary_is_sanitizer(library))
    *(bool *)found = true;
}

static const char *obstacle_of_kind(enum binary_kind kind) {
  switch (kind) {
  case BINARY_32_BIT:
    return "it is not of 64 bits";
  case BINARY_OTHER_PROCESSOR:
    return "it is for another processor";
  case BINARY_OTHER_LINKER:
    return "it is linked with another C library";
  default:
    return NULL; /* what a static program starts may take them */
  }
}

static const char *obstacle_of(int file, const elf_header *header) {
  enum binary_kind kind = binary_kind(file, header);
  bool has_sanitizer = kind == BINARY_CHECKS_MEMORY;
  if (kind == BINARY_DYNAMIC)
    binary_needs(file, header, note_sanitizer, &has_sanitizer);
  return has_sanitizer ? "it has a sanitizer" : obstacle_of_kind(kind);
}

/* @return whether it is a script, whose interpreter counts instead */
static bool examine(int file, const char **obstacle, char interpreter[FIRST_LINE]) {
  elf_header header;
  char line[FIRST_LINE];
  *obstacle = binary_has_header(file, &header) ? obstacle_of(file, &header) : NULL;
  binary_read_string(file, 0, line, sizeof line);
  return binary_interpreter(line, interpreter, FIRST_LINE);
}

int loading_open(int folder, const char *path) {
  return (int)minas_system(SYS_openat, folder, (long)path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0,
                           0);
}

const char *loading_obstacle_open(int file) {
  const char *obstacle;
  char interpreter[FIRST_LINE];
  bool script = examine(file, &obstacle, interpreter);
  for (int i = 0; script && i < BINARY_MOST_INTERPRETERS; i++) {
    file = loading_open(AT_FDCWD, interpreter);
    if (file < 0)
      return NULL;
    script = examine(file, &obstacle, interpreter);
    minas_close(file);
  }
  return obstacle;
}

const char *loading_obstacle(int folder, const char *path) {
  int file = loading_open(folder, path);
  if (file < 0)
    return NULL;
  const char *obstacle = loading_obstacle_open(file);
  minas_close(file);
  return obstacle;
}
