/*===-- new_file.h - files that are whole or not there ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_NEW_FILE_H
#define MINAS_NEW_FILE_H

#include <time.h>

#include "text.h"

/**
 * Write a text into a file, which is there as a whole afterwards or as it was: under another name
 * first, which nobody else has.  A device, a pipe, or what a symbolic link stands for is written
 * into; but not through a link in a directory where anybody may have put it.  What is open as
 * /dev/stdout, /dev/stderr or /dev/fd/5 is written to behind what it has.
 *
 * @return 0, or -1 with errno, ELOOP for such a link
 */
int minas_replace_file(const char *path, const struct minas_text *text);

/** The same, but a file that has been written since a time stays as it is.
 *  @return 0, or -1 with errno, EEXIST for such a file */
int minas_replace_older_file(const char *path, const struct timespec *since,
                             const struct minas_text *text);

#endif /* MINAS_NEW_FILE_H */
