/*===-- sort_test.c - minas_sort() beside qsort() ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "runtime/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };

struct element {
  unsigned key, number;
  char rest[13];
};

/* A total order: both sort in the same way. */
static int compare(const void *left, const void *right) {
  const struct element *a = left;
  const struct element *b = right;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static void fill(struct element *elements, size_t count, unsigned keys) {
  memset(elements, 0, count * sizeof *elements);
  for (size_t i = 0; i < count; i++)
    elements[i] = (struct element){(unsigned)rand() % keys, (unsigned)i, {(char)i}};
}

static int is_wrong(size_t count, unsigned keys) {
  struct element sorted[MOST + 1], expected[MOST + 1];
  fill(sorted, count + 1, keys);
  memcpy(expected, sorted, sizeof *sorted * (count + 1));
  minas_sort(sorted, count, sizeof *sorted, compare);
  qsort(expected, count, sizeof *expected, compare);
  return memcmp(sorted, expected, sizeof *sorted * (count + 1)) != 0;
}

int main(void) {
  int wrong = 0;
  for (size_t count = 0; count <= MOST; count++)
    for (unsigned keys = 1; keys <= 1000; keys *= 10)
      wrong += is_wrong(count, keys);
  printf("lists sorted wrongly: %d\n", wrong);
  return wrong;
}
