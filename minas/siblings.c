/*===-- siblings.c - the programs that lie beside this one --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "siblings.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sibling_path(const char *program, char *path, size_t size) {
  char own[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0)
    return false;
  own[length] = '\0';
  char *slash = strrchr(own, '/');
  int written = slash ? snprintf(path, size, "%.*s/%s", (int)(slash - own), own, program) : -1;
  return written > 0 && (size_t)written < size && access(path, X_OK) == 0;
}
