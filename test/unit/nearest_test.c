/*===-- nearest_test.c - names that are meant by misspelt ones --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "runtime/nearest.h"

#include <stdio.h>
#include <string.h>

static const struct row {
  const char *name;
  const char *other;
  unsigned distance;
} rows[] = {
    {"compact", "compact", 0},
    {"compcat", "compact", 1}, /* exchanged */
    {"Compact", "compact", 0},
    {"comact", "compact", 1},
    {"compactt", "compact", 1},
    {"cimpcat", "compact", 2},
    {"scater", "compact", MINAS_NAMES_DIFFER},
    {"", "", 0},
    {"u", "v", MINAS_NAMES_DIFFER}, /* nothing is left of it */
    {"u", "", MINAS_NAMES_DIFFER},
    {"rsh", "rhs", 1},
    {"abc", "cab", MINAS_NAMES_DIFFER},
};

/* 64 characters are compared, more are not. */
static unsigned distance_of_long(size_t length) {
  char name[100] = {0};
  memset(name, 'a', length);
  return minas_name_distance(name, name);
}

int main(void) {
  static const char *const known[] = {"scatter", "compact", "none"};
  int wrong = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (minas_name_distance(rows[i].name, rows[i].other) != rows[i].distance ||
        minas_name_distance(rows[i].other, rows[i].name) != rows[i].distance) {
      printf("'%s' and '%s': %u\n", rows[i].name, rows[i].other,
             minas_name_distance(rows[i].name, rows[i].other));
      wrong++;
    }
  wrong += distance_of_long(64) != 0 || distance_of_long(65) != MINAS_NAMES_DIFFER;
  wrong += minas_nearest_name("comapct", known, 3) != known[1];
  wrong += minas_nearest_name("away", known, 3) != NULL;
  return wrong ? 1 : 0;
}
