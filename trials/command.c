/*===-- command.c - the words of a command ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "command.h"

#include <stdint.h>

void command_add(struct command *command, const char *word) {
  if (command->count < COMMAND_MOST_WORDS)
    command->words[command->count] = (char *)(uintptr_t)word;
  command->count++;
}

void command_add_all(struct command *command, const char *const *words) {
  for (; *words; words++)
    command_add(command, *words);
}

bool command_is_whole(const struct command *command) {
  return command->count <= COMMAND_MOST_WORDS;
}
