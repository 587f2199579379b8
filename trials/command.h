/*===-- command.h - the words of a command ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef TRIALS_COMMAND_H
#define TRIALS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { COMMAND_MOST_WORDS = 256 };

/** Made by zero and the functions below; the words stay those of the caller. */
struct command {
  char *words[COMMAND_MOST_WORDS + 1]; /**< NULL behind the last */
  size_t count;                        /**< of all that were to be in it */
};

void command_add(struct command *command, const char *word);

/** Add words up to a NULL. */
void command_add_all(struct command *command, const char *const *words);

/** Whether no word was too many. */
bool command_is_whole(const struct command *command);

#endif /* TRIALS_COMMAND_H */
