/*===-- nearest.c - the name that is meant by a misspelt one ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "nearest.h"

#include <stdbool.h>

enum { MOST_LENGTH = 64 };

/* The typing errors between the beginnings of two names; a row is one beginning of the first. */
typedef unsigned row_t[MOST_LENGTH + 1];

/* Not tolower(), which asks the locale. */
static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

static bool alike(char a, char b) { return lower(a) == lower(b); }

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

static bool are_exchanged(const char *name, unsigned i, const char *other, unsigned j) {
  return i > 0 && j > 0 && alike(name[i], other[j - 1]) && alike(name[i - 1], other[j]);
}

/* Row i + 1, from the two before it, after Damerau (1964). Rows take turns in three places. */
static void make_row(const char *name, unsigned i, const char *other, unsigned length,
                     row_t rows[3]) {
  const unsigned *two_before = rows[(i + 2) % 3];
  const unsigned *before = rows[i % 3];
  unsigned *row = rows[(i + 1) % 3];
  row[0] = i + 1;
  for (unsigned j = 0; j < length; j++) {
    unsigned another = before[j] + !alike(name[i], other[j]);
    row[j + 1] = smaller(another, smaller(before[j + 1], row[j]) + 1);
    if (are_exchanged(name, i, other, j))
      row[j + 1] = smaller(row[j + 1], two_before[j - 1] + 1);
  }
}

/* Without strnlen(), in front of which ThreadSanitizer stands before it has begun. */
static unsigned length_of(const char *name) {
  unsigned length = 0;
  while (length <= MOST_LENGTH && name[length])
    length++;
  return length;
}

unsigned minas_name_distance(const char *name, const char *other) {
  unsigned length = length_of(name);
  unsigned other_length = length_of(other);
  unsigned longer = length > other_length ? length : other_length;
  row_t rows[3];
  if (longer > MOST_LENGTH)
    return MINAS_NAMES_DIFFER;
  for (unsigned j = 0; j <= other_length; j++)
    rows[0][j] = j;
  for (unsigned i = 0; i < length; i++)
    make_row(name, i, other, other_length, rows);
  unsigned distance = rows[length % 3][other_length];
  return distance <= longer / 3 ? distance : MINAS_NAMES_DIFFER;
}

const char *minas_nearest_name(const char *name, const char *const *known, size_t count) {
  const char *nearest = NULL;
  unsigned least = MINAS_NAMES_DIFFER;
  for (size_t i = 0; i < count; i++) {
    unsigned distance = minas_name_distance(name, known[i]);
    if (distance < least) {
      least = distance;
      nearest = known[i];
    }
  }
  return nearest;
}
