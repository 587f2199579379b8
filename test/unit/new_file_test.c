/*===-- new_file_test.c - when a new file says it was written ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A file counts as written after whatever was before it by the precise clock, though the file
 * system's own is behind: by a tick nearly always, so that sixteen files would show it.
 */
#include "runtime/new_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FILES = 16 };

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  struct minas_text text = {0};
  minas_text_add(&text, "new\n");
  int failures = 0;
  for (int i = 0; i < FILES; i++) {
    struct timespec before;
    clock_gettime(CLOCK_REALTIME, &before);
    errno = 0;
    if (minas_replace_older_file(argv[1], &before, &text) != 0) {
      printf("file %d is not replaced: %s\n", i, strerror(errno));
      failures++;
    }
    errno = 0;
    if (minas_replace_older_file(argv[1], &before, &text) == 0 || errno != EEXIST) {
      printf("file %d counts as written before it was: %s\n", i, strerror(errno));
      failures++;
    }
  }
  minas_text_free(&text);
  if (failures == 0)
    printf("all files are as young as they are\n");
  return failures != 0;
}
