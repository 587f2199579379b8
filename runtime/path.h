/*===-- path.h - parts of a file's path -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_PATH_H
#define MINAS_PATH_H

#include <string.h>

/** What is behind the folders of a path. */
static inline const char *minas_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

#endif /* MINAS_PATH_H */
