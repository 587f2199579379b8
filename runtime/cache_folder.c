/*===-- cache_folder.c - where Minas keeps what it found out ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "runtime/cache_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/rights.h"

/* Not getenv(): the program may have a function of that name. */
static const char *absolute_path(const char *variable) {
  size_t length = strlen(variable);
  for (char **entry = environ; entry && *entry && !minas_has_others_rights(); entry++)
    if (strncmp(*entry, variable, length) == 0 && strncmp(*entry + length, "=/", 2) == 0)
      return *entry + length + 1;
  return NULL;
}

int minas_cache_folder(char path[PATH_MAX]) {
  const char *cache = absolute_path("XDG_CACHE_HOME");
  const char *home = absolute_path("HOME");
  errno = ENOENT;
  if (!cache && !home)
    return -1;
  int length =
      snprintf(path, PATH_MAX, cache ? "%s/minas" : "%s/.cache/minas", cache ? cache : home);
  return length < PATH_MAX ? 0 : -1;
}
