/*===-- tool.h - what the parts of the tool `numarch` share -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_TOOL_H
#define NUMARCH_TOOL_H

#include <stdbool.h>

#include "numarch.h"

/*
 * Both print on standard output and return 0, or -1 with errno ENOMEM.  A write that failed shows
 * in the stream's state.  `whole`: the machine is all of it, not only what this process may use.
 */

/** Print tables for people. @param variable the environment variable that names the machine, NULL:
 *  it is the running one */
int print_text(const numarch_t *machine, const char *variable, bool whole);

/** Print JSON. */
int print_json(const numarch_t *machine, bool whole);

#endif /* NUMARCH_TOOL_H */
