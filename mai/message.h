/*===-- message.h - what the library says to its user -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The one way in which the library speaks: to the registered handler, else to standard error, and
 * there only when a MAI_ variable in the environment shows that the user wants to hear from it.
 */
#ifndef MAI_MESSAGE_H
#define MAI_MESSAGE_H

#include <stdbool.h>

/** Say one sentence, formatted as by printf(), without newline. Keeps errno. */
void mai_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same, but only the first time that `said` is seen; `*said` starts as false. */
#define mai_message_once(said, ...)                                                                \
  do {                                                                                             \
    if (!__atomic_exchange_n((said), true, __ATOMIC_RELAXED))                                      \
      mai_message(__VA_ARGS__);                                                                    \
  } while (0)

/** Whether environment variable `name` is set to anything but "" and "0". */
bool mai_environment_flag(const char *name);

#endif /* MAI_MESSAGE_H */
