/*===-- lines.h - reads files of the system line by line --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For /proc and /sys, and without the C library's streams: these take memory from the program's
 * allocator.
 */
#ifndef MINAS_LINES_H
#define MINAS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A file that is being read. */
struct minas_lines {
  int file;
  char *buffer;
  size_t begin; /**< what has been read and not handed out lies in [begin, end) */
  size_t end;
  bool skip; /**< the rest of a line that was too long is still to come */
};

/** Begin to read a file. @return 0, or -1 with errno; then there is nothing to close */
int minas_lines_open(struct minas_lines *lines, const char *path);

/** The next line, without its newline, until the next call; NULL at the end.  Of a line of more
 *  than 8,000 characters there is only the beginning. */
char *minas_lines_next(struct minas_lines *lines);

void minas_lines_close(struct minas_lines *lines);

/** Read the first line of a file, cut off after size - 1 characters.
 *  @return 0, or -1 with errno; the file may be empty */
int minas_read_line(const char *path, char *line, size_t size);

/** Read a file of one number in decimal. @return false when it has none */
bool minas_read_number(const char *path, uint64_t *number);

/** Read a number in this base (10 or 16) and move *text behind it. @return false when there is
 *  none, or it is too large */
bool minas_scan_number(const char **text, unsigned base, uint64_t *number);

/** Read a range of a list such as 0-3,8: 0-3 or 8, and move *list behind it. @return false when
 * there is none */
bool minas_scan_range(const char **list, uint64_t *first, uint64_t *last);

#endif /* MINAS_LINES_H */
