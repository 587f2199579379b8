/*===-- siblings.c - the programs that lie beside this one --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "siblings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder that this program lies in. @return whether it is known */
static bool own_folder(char *folder, size_t size) {
  ssize_t length = readlink("/proc/self/exe", folder, size - 1);
  if (length <= 0)
    return false;
  folder[length] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = '\0';
  return slash;
}

bool sibling_path(const char *program, char *path, size_t size) {
  char folder[PATH_MAX];
  if (!own_folder(folder, sizeof folder))
    return false;
  int written = snprintf(path, size, "%s/%s", folder, program);
  return written > 0 && (size_t)written < size && access(path, X_OK) == 0;
}

void siblings_prefer(void) {
  char folder[PATH_MAX], path[4 * PATH_MAX];
  const char *others = getenv("PATH");
  if (!own_folder(folder, sizeof folder))
    return;
  int written = snprintf(path, sizeof path, "%s:%s", folder, others ? others : "/usr/bin:/bin");
  if (written > 0 && (size_t)written < sizeof path)
    setenv("PATH", path, 1);
}
