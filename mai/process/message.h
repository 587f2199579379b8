/*===-- message.h - what the library says to its user -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The one way in which the library speaks: to the registered handler, else to standard error, and
 * there only when a MAI_ variable in the environment shows that the user wants to hear from it.
 *
 * Standard error is the one that the process began with.  A program may close it and open a file of
 * data under its number: nothing is ever written there.
 */
#ifndef MAI_MESSAGE_H
#define MAI_MESSAGE_H

#include <stdbool.h>

#include "runtime/text.h"

/** Say one sentence, formatted as by printf(), without newline, as soon as the calling thread has
 *  left the library. Keeps errno. */
void mai_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same, but only the first time that `said` is seen; `*said` starts as false. */
#define mai_message_once(said, ...)                                                                \
  do {                                                                                             \
    if (!__atomic_exchange_n((said), true, __ATOMIC_RELAXED))                                      \
      mai_message(__VA_ARGS__);                                                                    \
  } while (0)

/** Say, where the user wants to hear all, that the kernel has refused a call with errno; keeps
 * that.
 *  `*said` as above. */
void mai_message_refused(bool *said, const char *call);

/** The same, once for each place where it stands. */
#define MAI_REFUSED(call)                                                                          \
  do {                                                                                             \
    static bool said_refused;                                                                      \
    mai_message_refused(&said_refused, call);                                                      \
  } while (0)

/** Say one sentence at once and end the process with exit status 1, as MAI_STRICT asks.  Exit
 *  handlers are not run: some would find the library half started. */
void mai_message_and_stop(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/** Write a text to the standard error that the process began with.
 *  @return 0, or -1 with errno; EBADF when it is closed */
int mai_message_write(const struct minas_text *text);

#endif /* MAI_MESSAGE_H */
