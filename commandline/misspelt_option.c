/*===-- misspelt_option.c - the option that is meant ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "misspelt_option.h"

#include <stdio.h>
#include <string.h>

#include "runtime/nearest.h"

enum { MOST_OPTIONS = 64, MOST_LENGTH = 64 };

void commandline_suggest(const char *command, const struct option *options,
                         char *const *arguments) {
  const char *refused = arguments[optind - 1];
  const char *names[MOST_OPTIONS];
  char name[MOST_LENGTH];
  size_t count = 0;
  if (strncmp(refused, "--", 2) != 0)
    return;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(refused + 2, "="), refused + 2);
  while (count < MOST_OPTIONS && options[count].name) {
    names[count] = options[count].name;
    count++;
  }
  const char *meant = minas_nearest_name(name, names, count);
  if (meant && strcmp(meant, name) != 0)
    fprintf(stderr, "%s: did you mean '--%s'?\n", command, meant);
}
