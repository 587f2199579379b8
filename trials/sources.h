/*===-- sources.h - a program's sources, as far as they can be rewritten -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef TRIALS_SOURCES_H
#define TRIALS_SOURCES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** What a folder holds. All zero: nobody has named one. */
struct sources {
  const char *folder;
  size_t count;         /**< of sources in C with OpenMP's pragmas, in all folders below */
  char first[PATH_MAX]; /**< of these */
  bool has_cmake;       /**< it is built by CMake */
};

/** Look through a folder, but not in what is hidden nor behind links.
 *  @return 0, or -1 with errno where it cannot be read */
int sources_read(const char *folder, struct sources *sources);

/** The line that has its arrays placed for good; "" where there is none.
 *  @param profile samples, or ""
 *  @param text of `size` bytes */
void sources_cure(const struct sources *sources, const char *profile, char *text, size_t size);

#endif /* TRIALS_SOURCES_H */
