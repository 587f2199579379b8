/*===-- svg.c - text and rectangles of a picture ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Names come from a file: each is escaped and cut to the room it has. */
#include "svg.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const double LETTER = 11 * 0.58; /* as wide as a letter of the font is, about */

/* Bytes of the UTF-8 sequence at `text`, which is one that jansson or this program made. */
static size_t sequence_length(const char *text) {
  unsigned char first = (unsigned char)*text;
  size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  size_t there = strnlen(text, length);
  return there < length ? there : length;
}

/* XML has no control characters but these, and no U+FFFE and U+FFFF. */
static bool is_allowed_in_xml(const char *text, size_t length) {
  unsigned char first = (unsigned char)*text;
  if (length == 3 && first == 0xef && (unsigned char)text[1] == 0xbf)
    return (unsigned char)text[2] < 0xbe;
  return length > 1 || (first >= 0x20 && first < 0x7f);
}

static void put_letter(const char *text, size_t length) {
  if (!is_allowed_in_xml(text, length))
    putchar('?');
  else if (*text == '&')
    fputs("&amp;", stdout);
  else if (*text == '<')
    fputs("&lt;", stdout);
  else if (*text == '>')
    fputs("&gt;", stdout);
  else if (*text == '"')
    fputs("&quot;", stdout);
  else
    fwrite(text, 1, length, stdout);
}

/* As much of a text as there is room for letters, with an ellipsis where it was cut. */
static void put_escaped(const char *text, size_t letters) {
  for (size_t done = 0; *text; done++) {
    size_t length = sequence_length(text);
    if (done + 1 >= letters && text[length]) {
      fputs("…", stdout);
      return;
    }
    put_letter(text, length);
    text += length;
  }
}

static size_t letters_in(double width) { return width > LETTER ? (size_t)(width / LETTER) : 1; }

void svg_text(double x, double y, double width, const char *anchor, const char *text) {
  printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  put_escaped(text, letters_in(width));
  puts("</text>");
}

void svg_rectangle(double x, double y, double width, double height, const char *style) {
  printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>\n", x, y, width, height,
         style);
}
