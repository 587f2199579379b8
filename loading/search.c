/*===-- search.c - the files that execvp() would try ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "search.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* An empty folder is the current one. @return false where the path is too long */
static bool join(const char *folder, size_t length, const char *name, char file[PATH_MAX]) {
  size_t slash = length > 0, bytes = strlen(name) + 1;
  if (length + slash + bytes > PATH_MAX)
    return false;
  memcpy(file, folder, length);
  file[length] = '/';
  memcpy(file + length + slash, name, bytes);
  return true;
}

static const char *search_path(void) {
  const char *path = getenv("PATH");
  return path ? path : "/bin:/usr/bin";
}

bool loading_search(const char *name, bool (*is_it)(const char *file, void *context),
                    void *context) {
  if (strchr(name, '/'))
    return is_it(name, context);
  for (const char *path = search_path(); *name;) {
    char file[PATH_MAX];
    size_t length = strcspn(path, ":");
    if (join(path, length, name, file) && is_it(file, context))
      return true;
    if (!path[length])
      return false;
    path += length + 1;
  }
  return false;
}
