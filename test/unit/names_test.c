/*===-- names_test.c - tables of names that are broken ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A table with a type of each kind is followed through memory that is as it says.  Then each of its
 * bytes is changed in turn, and each beginning of it is taken for a table: it is refused, or
 * followed to an end.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/walk/table.h"
#include "names/walk/walk.h"

enum { POINTER = 1, REFERENCE, RECORD, ARRAY, RANGE, DESCRIPTOR, NODE, OF_NODE, TYPES };

static const char texts[] = "\0v\0.a\0.b\0%c\0.d\0.next\0Class\0a.c 7";

enum { CLASS = 21, PLACE = 27 };

struct table {
  struct minas_names_header header;
  struct minas_names_region regions[2];
  struct minas_names_variable variables[2];
  struct minas_names_type types[TYPES];
  struct minas_names_member members[6];
  struct minas_names_piece pieces[2];
  char texts[sizeof texts];
};

static const struct table good = {
    {MINAS_NAMES_MAGIC, MINAS_NAMES_VERSION, 0, {0}, 2, 1, 1, TYPES, 6, 2, sizeof texts, 0},
    {{16, 0, 1}, {32, 1, 0}},
    {{1, REFERENCE, 8, 0, MINAS_NAMES_LOCAL, 0}, {1, OF_NODE, 0, 0, MINAS_NAMES_STATIC, 0}},
    {{0},
     {MINAS_NAMES_POINTER, 0, 0, 0, 0, 0},
     {MINAS_NAMES_REFERENCE, RECORD, 0, 0, 0, 0},
     {MINAS_NAMES_RECORD, 0, 5, 0, 0, CLASS},
     {MINAS_NAMES_ARRAY, POINTER, 2, 8, 0, 0},
     {MINAS_NAMES_RANGE, POINTER, 0, 8, 8, 0},
     {MINAS_NAMES_DESCRIPTOR, POINTER, 0, 8, 0, 0},
     {MINAS_NAMES_RECORD, 5, 1, 0, 0, 0},
     {MINAS_NAMES_POINTER, NODE, 0, 0, 0, 0}},
    {{3, POINTER, 0},
     {6, ARRAY, 8},
     {9, DESCRIPTOR, 24},
     {12, RANGE, 96},
     {0, OF_NODE, 112},
     {15, OF_NODE, 0}},
    {{16, 4, PLACE, 0, 0}, {32, 8, PLACE, 1, 0}},
    {0}};

enum { SIZE = offsetof(struct table, texts) + sizeof texts };

/* What the table describes. */
static struct {
  void *a, *b[2];
  struct {
    void *base;
    long offset, type[2], span, stride, lower, upper, unused;
  } c;
  void **first, **last;
  void *next;
} object;

static void *elements[2], *others[2];
static void *arguments[2];
static void *node[1];

static char seen[4096];

static void see(const struct minas_names_sight *sight, void *context) {
  char forms[MINAS_NAMES_FORMS];
  (void)context;
  size_t length = strlen(seen);
  minas_names_other_forms(sight, forms);
  if (sight->pointer < 100)
    snprintf(seen + length, sizeof seen - length, "%s|%s=%d ", sight->name, forms,
             (int)sight->pointer);
}

static void *number(int value) { return (void *)(intptr_t)value; }

static void fill(void) {
  elements[0] = number(5);
  elements[1] = number(6);
  others[0] = number(7);
  others[1] = number(8);
  object.a = number(1);
  object.b[0] = number(2);
  object.b[1] = number(3);
  object.c.base = elements;
  object.c.lower = 1;
  object.c.upper = 2;
  object.first = others;
  object.last = others + 2;
  object.next = node;
  node[0] = node; /* a list that never ends */
  arguments[1] = &object;
}

static void follow(const struct minas_names *names) {
  seen[0] = '\0';
  minas_names_walk(names, minas_names_region(names, 16), (uintptr_t)arguments, (uintptr_t)&object,
                   see, NULL);
}

int main(void) {
  struct table table = good;
  struct minas_names names;
  unsigned refused = 0;
  memcpy(table.texts, texts, sizeof texts);
  const struct table whole = table;
  fill();
  printf("whole: %d\n", minas_names_check(&table, SIZE, &names));
  follow(&names);
  printf("%s\n", seen);
  printf("pieces:");
  for (uint64_t address = 15; address < 42; address++)
    if (minas_names_piece(&names, address))
      printf(" %d", (int)address);
  printf(" of %s\n", names.texts + minas_names_piece(&names, 39)->place);
  for (size_t size = 0; size < SIZE; size++)
    refused += minas_names_check(&table, size, &names) != 0;
  printf("beginnings refused: %s\n", refused == SIZE ? "all" : "not all");
  for (size_t i = 0; i < SIZE; i++)
    for (int change = 1; change < 256; change += 63) {
      table = whole;
      ((unsigned char *)&table)[i] ^= (unsigned char)change;
      if (minas_names_check(&table, SIZE, &names) == 0)
        follow(&names);
    }
  printf("changes survived\n");
}
