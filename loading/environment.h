/*===-- environment.h - what a program that is executed has preloaded *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What mai-run and mai-trace put into LD_PRELOAD is for the program that they run, and inherited by
 * all that it starts.
 */
#ifndef LOADING_ENVIRONMENT_H
#define LOADING_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/** Whether an environment names libraries of ours. */
bool loading_has_ours(char *const *environment);

/** Whether these can be read by who executes another program: the dynamic linker complains of those
 *  that cannot. */
bool loading_finds_ours(char *const *environment);

/** The room that an environment takes which names none. */
struct loading_room {
  size_t entries; /**< with the NULL behind them */
  size_t bytes;   /**< of text */
};

struct loading_room loading_room(char *const *environment);

void loading_write_without_ours(char *const *environment, char **entries, char *text);

/** Takes the run-time of a sanitizer out of an environment that mai-run has put in front of our
 *  libraries for the program that it ran: what that starts would have it, too. */
void loading_remove_sanitizer(char **environment);

#endif /* LOADING_ENVIRONMENT_H */
