/*===-- pattern.c - names with wildcards ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pattern.h"

#include <stddef.h>
#include <string.h>

/* The ']' that ends the set whose '[' stands at `set`; NULL where there is none and '[' means
   itself.  A ']' that comes first is one of the set. */
static const char *end_of_set(const char *set) {
  const char *at = set + 1;
  if (*at == '!' || *at == '^')
    at++;
  return *at ? strchr(at + 1, ']') : NULL;
}

static bool lies_between(char byte, char first, char last) {
  return (unsigned char)byte >= (unsigned char)first && (unsigned char)byte <= (unsigned char)last;
}

/* Whether a byte is one of those between `at` and `end`, such as a-z_. */
static bool is_listed(const char *at, const char *end, char byte) {
  while (at < end) {
    bool range = end - at > 2 && at[1] == '-';
    if (lies_between(byte, at[0], at[range ? 2 : 0]))
      return true;
    at += range ? 3 : 1;
  }
  return false;
}

static bool is_in_set(const char *set, const char *end, char byte) {
  bool inverted = set[1] == '!' || set[1] == '^';
  return is_listed(set + 1 + inverted, end, byte) != inverted;
}

/* Whether a byte fits what stands at `*pattern`, which is not '*'; then that is skipped. */
static bool take(const char **pattern, char byte) {
  const char *at = *pattern;
  const char *end = *at == '[' ? end_of_set(at) : NULL;
  bool fits;
  if (end)
    fits = is_in_set(at, end, byte);
  else if (*at == '?')
    fits = true;
  else
    fits = *(at += *at == '\\' && at[1]) == byte;
  *pattern = (end ? end : at) + 1;
  return fits;
}

/* Where a byte does not fit, the last '*' takes one more. */
bool mai_pattern_fits(const char *pattern, const char *name) {
  const char *behind_star = NULL;
  const char *taken = NULL; /* by that star: the name up to here */
  while (*name) {
    const char *next = pattern;
    if (*pattern == '*') {
      behind_star = ++pattern;
      taken = name;
    } else if (*pattern && take(&next, *name)) {
      pattern = next;
      name++;
    } else if (behind_star) {
      pattern = behind_star;
      name = ++taken;
    } else {
      return false;
    }
  }
  return pattern[strspn(pattern, "*")] == '\0';
}
