/*===-- text.h - text of the library -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The C library's functions of these kinds depend on the locale, may allocate, and may be the
 * program's own.
 */
#ifndef MAI_TRACE_TEXT_H
#define MAI_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** snprintf() of %s, %.*s, %d, %u, %ld, %lu and %zu. @return bytes written, without the 0 at the
 *  end; what does not fit is left out */
size_t trace_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Read a decimal or (base 16) hexadecimal number. @param text advanced behind it @return whether
 *  there is one that fits */
bool trace_parse(const char **text, unsigned base, unsigned long *number);

/** What an errno means. */
const char *trace_error_text(int error);

/** Say something on standard error: a line that begins with the name of the tool. */
void trace_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* MAI_TRACE_TEXT_H */
