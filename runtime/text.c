/*===-- text.c - text that is put together before it is written -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "lock.h"
#include "system.h"

/* Room for so many bytes and the '\0' behind them. */
static bool make_room(struct minas_text *text, size_t bytes) {
  size_t needed = text->length + bytes + 1;
  if (text->cut_off || needed <= text->capacity)
    return !text->cut_off;
  size_t capacity = 2 * needed;
  char *larger = minas_resize(text->bytes, capacity);
  if (!larger) {
    text->cut_off = true;
    return false;
  }
  text->bytes = larger;
  text->capacity = capacity;
  return true;
}

void minas_text_add(struct minas_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !make_room(text, (size_t)length))
    return;
  va_start(arguments, format);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void minas_text_add_decimal(struct minas_text *text, double value, unsigned digits, int width) {
  uint64_t scale = 1;
  for (unsigned i = 0; i < digits; i++)
    scale *= 10;
  uint64_t scaled = (uint64_t)(value * (double)scale + 0.5);
  int before_point = width - (int)digits - 1;
  minas_text_add(text, "%*" PRIu64 ".%0*" PRIu64, before_point > 0 ? before_point : 0,
                 scaled / scale, (int)digits, scaled % scale);
}

void minas_text_add_char(struct minas_text *text, char c) {
  if (!make_room(text, 1))
    return;
  text->bytes[text->length++] = c;
  text->bytes[text->length] = '\0';
}

void minas_text_add_string(struct minas_text *text, const char *string) {
  size_t length = strlen(string);
  if (!make_room(text, length))
    return;
  memcpy(text->bytes + text->length, string, length + 1);
  text->length += length;
}

/*===-- JSON ---------------------------------------------------------------===*/

/* How many bytes that follow the first one of a character in UTF-8; -1: it is none. */
static int bytes_that_follow(unsigned char first) {
  if (first < 0x80)
    return 0;
  if (first >= 0xc2 && first < 0xe0)
    return 1;
  if (first >= 0xe0 && first < 0xf0)
    return 2;
  return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

/* Too long forms of a character, halves of a pair, and what lies beyond the last character. */
static bool is_forbidden(const unsigned char *at) {
  return (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
         (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f);
}

/* How many bytes the character here has; 0: it is none. */
static int character_bytes(const unsigned char *at) {
  int follow = bytes_that_follow(at[0]);
  for (int i = 1; i <= follow; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  return follow < 0 || (follow > 1 && is_forbidden(at)) ? 0 : follow + 1;
}

static void add_escaped(struct minas_text *text, unsigned char c) {
  if (c == '"' || c == '\\')
    minas_text_add(text, "\\%c", c);
  else if (c < ' ')
    minas_text_add(text, "\\u%04x", c);
  else
    minas_text_add_char(text, (char)c);
}

void minas_text_add_json(struct minas_text *text, const char *string) {
  const unsigned char *at = (const unsigned char *)string;
  minas_text_add_char(text, '"');
  while (*at) {
    int bytes = character_bytes(at);
    if (bytes == 1)
      add_escaped(text, *at);
    else if (bytes > 1)
      minas_text_add(text, "%.*s", bytes, (const char *)at);
    else
      minas_text_add_char(text, '?');
    at += bytes ? bytes : 1;
  }
  minas_text_add_char(text, '"');
}

/*===-- The end ------------------------------------------------------------===*/

int minas_text_write(const struct minas_text *text, int file) {
  MINAS_CALLS_OUT();
  if (text->length && minas_write_all(file, text->bytes, text->length) != 0)
    return -1;
  if (!text->cut_off)
    return 0;
  errno = ENOMEM;
  return -1;
}

void minas_text_free(struct minas_text *text) {
  minas_free(text->bytes);
  *text = (struct minas_text){0};
}
