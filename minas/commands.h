/*===-- commands.h - what can stand behind minas ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_COMMANDS_H
#define MINAS_COMMANDS_H

#include <stddef.h>

enum { MOST_COMMANDS = 16 };

struct command {
  const char *name;
  const char *program; /* NULL: it is a part of minas */
  int (*run)(int count, char **arguments);
  const char *purpose;
};

extern const struct command commands[];
extern const size_t command_count;

/** By its name, or that of its program; NULL where there is none. */
const struct command *command_named(const char *name);

#endif /* MINAS_COMMANDS_H */
