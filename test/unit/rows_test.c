/*===-- rows_test.c - tables of rows and the threads' shares of them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row of the table has row pointers as a program may have them, good and bad, and where the
 * parts of a loop over them have to begin, or that they have to be refused.
 */
#include "mai/arrays/rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

struct row {
  const char *what;
  uint64_t pointers[MOST];
  size_t entries;
  size_t first;
  size_t count;
  unsigned long units;
  size_t all;
  size_t used;
  size_t parts;
  bool good;
  unsigned long bounds[MOST];
};

static const struct row rows[] = {
    {"equal rows", {0, 2, 4, 6, 8}, 5, 0, 4, 1, 8, 8, 2, true, {0, 4, 8}},
    {"unequal rows", {0, 90, 95, 99, 100}, 5, 0, 4, 1, 200, 100, 2, true, {0, 95, 100}},
    {"the first parts have a row more",
     {0, 1, 3, 6, 10, 15},
     6,
     0,
     5,
     1,
     15,
     15,
     2,
     true,
     {0, 6, 15}},
    {"more parts than rows", {0, 7, 9}, 3, 0, 2, 1, 9, 9, 4, true, {0, 7, 9, 9, 9}},
    {"empty rows", {0, 0, 0, 5, 5}, 5, 0, 4, 1, 5, 5, 4, true, {0, 0, 0, 5, 5}},
    {"the end of the last row is left out", {0, 3, 6, 9}, 4, 0, 4, 1, 12, 12, 2, true, {0, 6, 9}},
    {"a part of the rows", {0, 2, 4, 6, 8}, 5, 1, 2, 1, 8, 8, 2, true, {2, 4, 6}},
    {"counted from 1", {1, 3, 5, 7, 9}, 5, 0, 4, 1, 8, 8, 2, true, {1, 5, 8}},
    {"blocks of 9", {0, 1, 3, 4}, 4, 0, 3, 9, 36, 36, 3, true, {0, 9, 27, 36}},
    {"more is declared than is used", {0, 1, 2}, 3, 0, 2, 1, 1000, 2, 2, true, {0, 1, 2}},
    {"half of what is used", {0, 2, 4}, 3, 0, 2, 1, 8, 8, 2, true, {0, 2, 4}},
    {"less than half of what is used", {0, 1, 3}, 3, 0, 2, 1, 8, 8, 2, false, {0}},
    {"descending", {0, 4, 2, 8}, 4, 0, 3, 1, 8, 8, 2, false, {0}},
    {"descending within a part", {0, 3, 2, 4, 8}, 5, 0, 4, 1, 8, 8, 1, false, {0}},
    {"beyond the end", {0, 4, 10}, 3, 0, 2, 1, 8, 8, 2, false, {0}},
    {"blocks beyond the end", {0, 4, 8}, 3, 0, 2, 9, 36, 36, 2, false, {0}},
    {"a negative number", {0, UINT64_MAX, UINT64_MAX}, 3, 0, 2, 1, 8, 0, 2, false, {0}},
    {"as many units as there are numbers", {0, 4, 8}, 3, 0, 2, UINT64_MAX, 8, 0, 2, false, {0}},
    {"all zero", {0, 0, 0}, 3, 0, 2, 1, 8, 0, 2, false, {0}},
    {"no row", {0, 4, 8}, 3, 0, 0, 1, 8, 8, 2, false, {0}},
    {"no entry", {0}, 0, 0, 1, 1, 8, 8, 2, false, {0}},
    {"begins behind the last entry", {0, 4, 8}, 3, 3, 1, 1, 8, 8, 2, false, {0}},
    {"more rows than entries", {0, 4, 8}, 3, 0, 4, 1, 8, 8, 2, false, {0}},
    {"as many rows as there are numbers", {0, 4, 8}, 3, 1, SIZE_MAX, 1, 8, 8, 2, false, {0}},
};

static int failures;

static void check(const struct row *row, const void *pointers, size_t size) {
  unsigned long bounds[MOST + 1] = {0};
  struct mai_rows asked = {pointers, row->entries, size, row->first, row->count, row->units};
  bool good = mai_rows_bounds(&asked, row->all, row->used, row->parts, bounds) == 0;
  bool right = good == row->good && (good || errno == EINVAL);
  for (size_t part = 0; good && part <= row->parts; part++)
    right = right && bounds[part] == row->bounds[part];
  if (right)
    return;
  failures++;
  printf("%s, %zu bytes: %s:", row->what, size, good ? "taken" : "refused");
  for (size_t part = 0; good && part <= row->parts; part++)
    printf(" %lu", bounds[part]);
  printf("\n");
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint32_t narrow[MOST];
    for (size_t k = 0; k < MOST; k++)
      narrow[k] = (uint32_t)rows[i].pointers[k];
    check(&rows[i], rows[i].pointers, sizeof *rows[i].pointers);
    check(&rows[i], narrow, sizeof *narrow);
  }
  printf("%zu rows, %d failures\n", sizeof rows / sizeof *rows, failures);
  return failures != 0;
}
