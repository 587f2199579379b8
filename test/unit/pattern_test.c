/*===-- pattern_test.c - names with wildcards -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Patterns and names made of few different bytes are tried in large numbers against fnmatch(), in
 * the C locale; then those of which fnmatch() has another opinion, or that take it for ever.
 */
#include "mai/policy/pattern.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300000, LONGEST = 9 };

static uint32_t next_random(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

static void make_text(const char *bytes, char text[LONGEST + 1]) {
  size_t length = next_random() % (LONGEST + 1);
  for (size_t i = 0; i < length; i++)
    text[i] = bytes[next_random() % strlen(bytes)];
  text[length] = '\0';
}

static int compare(const char *pattern, const char *name, bool expected) {
  if (mai_pattern_fits(pattern, name) == expected)
    return 0;
  printf("'%s' %s '%s'\n", pattern, expected ? "has to fit" : "must not fit", name);
  return 1;
}

/* @return how many differ */
static int compare_with_fnmatch(const char *bytes, int *fits) {
  int wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    char pattern[LONGEST + 1];
    char name[LONGEST + 1];
    make_text(bytes, pattern);
    make_text("aab-/", name);
    bool expected = fnmatch(pattern, name, 0) == 0;
    *fits += expected;
    wrong += compare(pattern, name, expected);
  }
  return wrong;
}

static const struct row {
  const char *pattern;
  const char *name;
  bool fits;
} rows[] = {
    {"malloc@*", "malloc@./a.out+0x12", true},
    {"malloc@lib*.so*+0x??", "malloc@libx.so.1+0x1f", true},
    {"u[0-9]", "u7", true},
    {"u[!0-9]", "u7", false},
    {"a\\*b", "a*b", true},
    {"a\\*b", "axb", false},
    {"\\", "\\", true},
    {"\xc3*", "\xc3\xa9", true}, /* half of a letter is no text in UTF-8 */
    {"?\xa9", "\xc3\xa9", true},
    {"*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     false},
};

int main(void) {
  int fits = 0;
  int wrong = compare_with_fnmatch("ab*?[]!-", &fits) + compare_with_fnmatch("ab*?\\", &fits);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    wrong += compare(rows[i].pattern, rows[i].name, rows[i].fits);
  if (fits < ROUNDS / 100) {
    printf("only %d patterns fit: too few to say anything\n", fits);
    return EXIT_FAILURE;
  }
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
