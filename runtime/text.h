/*===-- text.h - text that is put together before it is written -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * In place of streams, which take memory from the program's allocator and locks of the C library.
 * A text that had no memory is cut off there, and says so.
 */
#ifndef MINAS_TEXT_H
#define MINAS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** All 0: an empty text. */
struct minas_text {
  char *bytes; /**< NULL, or ended by '\0' */
  size_t length;
  size_t capacity;
  bool cut_off;
};

/** Add what printf() would write. */
void minas_text_add(struct minas_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Add a number of at least 0 with so many digits behind a point, which is a point in every locale,
 *  in at least `width` characters. */
void minas_text_add_decimal(struct minas_text *text, double value, unsigned digits, int width);

/** Add one character. */
void minas_text_add_char(struct minas_text *text, char c);

/** Add a string, without printf(). */
void minas_text_add_string(struct minas_text *text, const char *string);

/** Add a string as JSON has it, with quotes.  Bytes that are no UTF-8 become question marks. */
void minas_text_add_json(struct minas_text *text, const char *string);

/** Write a text to a file. @return 0, or -1 with errno; ENOMEM when it was cut off */
int minas_text_write(const struct minas_text *text, int file);

void minas_text_free(struct minas_text *text);

#endif /* MINAS_TEXT_H */
