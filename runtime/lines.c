/*===-- lines.c - reads files of the system line by line --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "lines.h"

#include <errno.h>
#include <string.h>

#include "heap.h"
#include "lock.h"
#include "system.h"

enum { BUFFER_BYTES = 8000 };

int minas_lines_open(struct minas_lines *lines, const char *path) {
  MINAS_CALLS_OUT();
  *lines = (struct minas_lines){.file = minas_open(path)};
  if (lines->file < 0)
    return -1;
  lines->buffer = minas_alloc(BUFFER_BYTES + 1);
  if (lines->buffer)
    return 0;
  minas_close(lines->file);
  return -1;
}

void minas_lines_close(struct minas_lines *lines) {
  minas_close(lines->file);
  minas_free(lines->buffer);
}

/* Read more behind what is left. @return false when there is no more, or no room */
static bool read_more(struct minas_lines *lines) {
  memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
  lines->end -= lines->begin;
  lines->begin = 0;
  long bytes = minas_read(lines->file, lines->buffer + lines->end, BUFFER_BYTES - lines->end);
  if (bytes <= 0)
    return false;
  lines->end += (size_t)bytes;
  return true;
}

/* The line that begins the buffer, ended where its newline was; NULL while that is not there. */
static char *take_line(struct minas_lines *lines) {
  char *line = lines->buffer + lines->begin;
  char *newline = memchr(line, '\n', lines->end - lines->begin);
  if (!newline)
    return NULL;
  *newline = '\0';
  lines->begin = (size_t)(newline + 1 - lines->buffer);
  return line;
}

/* What is left at the end of the file, or as much of a long line as there is room for. */
static char *take_rest(struct minas_lines *lines) {
  char *line = lines->buffer + lines->begin;
  bool full = lines->end - lines->begin == BUFFER_BYTES;
  if (lines->begin == lines->end)
    return NULL;
  lines->buffer[lines->end] = '\0';
  lines->begin = lines->end;
  lines->skip = full;
  return line;
}

char *minas_lines_next(struct minas_lines *lines) {
  for (;;) {
    char *line = take_line(lines);
    if (!line) {
      if (read_more(lines))
        continue;
      line = take_rest(lines);
    } else if (lines->skip) {
      lines->skip = false;
      continue;
    }
    return line;
  }
}

int minas_read_line(const char *path, char *line, size_t size) {
  MINAS_CALLS_OUT();
  int file = minas_open(path);
  if (file < 0)
    return -1;
  long bytes = minas_read(file, line, size - 1);
  int error = errno;
  minas_close(file);
  line[bytes > 0 ? bytes : 0] = '\0';
  line[strcspn(line, "\n")] = '\0';
  errno = error;
  return bytes < 0 ? -1 : 0;
}

bool minas_read_number(const char *path, uint64_t *number) {
  char line[32];
  const char *text = line;
  return minas_read_line(path, line, sizeof line) == 0 && minas_scan_number(&text, 10, number);
}

static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0');
  return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : UINT32_MAX;
}

bool minas_scan_number(const char **text, unsigned base, uint64_t *number) {
  const char *at = *text;
  *number = 0;
  for (; digit_of(*at) < base; at++)
    if (__builtin_mul_overflow(*number, base, number) ||
        __builtin_add_overflow(*number, digit_of(*at), number))
      return false;
  bool found = at > *text;
  *text = at;
  return found;
}

bool minas_scan_range(const char **list, uint64_t *first, uint64_t *last) {
  if (!minas_scan_number(list, 10, first))
    return false;
  *last = *first;
  if (**list != '-')
    return true;
  ++*list;
  return minas_scan_number(list, 10, last);
}
