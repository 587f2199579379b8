/*===-- json_error.h - what is wrong with a text that is no JSON *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_JSON_ERROR_H
#define NUMARCH_JSON_ERROR_H

#include <jansson.h>
#include <string.h>

/** How many bytes of the error's text are the parser's own words.  Behind them it quotes the file:
 *  whole strings of it, and it may be any file, of which nobody is to see more than that it is none
 *  of ours. */
static inline int numarch_json_words(const json_error_t *error) {
  const char *quoted = strstr(error->text, " near '");
  return (int)(quoted ? (size_t)(quoted - error->text) : strlen(error->text));
}

#endif /* NUMARCH_JSON_ERROR_H */
