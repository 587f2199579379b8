/*===-- call_places.c - the lines that lead to a place ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "call_places.h"

#include <stdio.h>
#include <string.h>

#include "objects.h"

/* NULL: it stands in none of the program's own sources, or there is no table of it. */
static const struct minas_names_piece *piece_of(uintptr_t code, const char **place) {
  for (size_t i = 0; i < mai_names_object_count; i++) {
    const struct mai_names_object *each = &mai_names_objects[i];
    const struct minas_names_piece *piece = minas_names_piece(&each->names, code - each->bias);
    if (!piece)
      continue;
    *place = each->names.texts + piece->place;
    return piece;
  }
  return NULL;
}

/* A function that calls itself, as often as it may be, counts once. */
void mai_call_places(const uintptr_t *code, unsigned count, char *text, size_t size) {
  const char *last = "";
  size_t length = 0;
  unsigned calls = 0;
  *text = '\0';
  for (unsigned i = 0; i < count && calls < MINAS_NAMES_MOST_CALLS && length < size; i++) {
    const char *place;
    const struct minas_names_piece *piece = piece_of(code[i] - 1, &place);
    if (!piece)
      continue;
    if (strcmp(place, last) != 0) {
      length += (size_t)snprintf(text + length, size - length, "%s%s", calls++ ? "<" : "", place);
      last = place;
    }
    if (piece->outlined)
      return;
  }
}
