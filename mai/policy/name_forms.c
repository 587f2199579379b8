/*===-- name_forms.c - the forms of an array's name -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "name_forms.h"

#include <stddef.h>
#include <string.h>

#include "pattern.h"
#include "runtime/nearest.h"

bool mai_name_fits(const char *pattern, const char *name) {
  return strcmp(pattern, name) == 0 || mai_pattern_fits(pattern, name);
}

static bool opens(char byte) { return byte && strchr("[(<", byte); }
static bool closes(char byte) { return byte && strchr("])>", byte); }

/* What follows the next separator that stands in no brackets; NULL: none does. */
static const char *next_member(const char *name) {
  int depth = 0;
  for (; *name; name++) {
    depth += opens(*name) - closes(*name);
    if (depth == 0 && (*name == '.' || *name == '%'))
      return name + 1;
    if (depth == 0 && name[0] == ':' && name[1] == ':')
      return name + 2;
  }
  return NULL;
}

static bool fits_from_a_member_on(const char *pattern, const char *name) {
  for (; name && *name; name = next_member(name))
    if (mai_name_fits(pattern, name))
      return true;
  return false;
}

/* A blank in front of brackets goes with them. */
void mai_name_without_brackets(const char *name, char plain[MAI_MOST_NAME_FORM]) {
  size_t length = 0;
  int depth = 0;
  for (; *name && length + 1 < MAI_MOST_NAME_FORM; name++) {
    depth += opens(*name);
    if (depth == 0 && !(*name == ' ' && opens(name[1])))
      plain[length++] = *name;
    depth -= closes(*name);
  }
  plain[length] = '\0';
}

bool mai_name_form_fits(const char *pattern, const char *name) {
  char plain[MAI_MOST_NAME_FORM];
  mai_name_without_brackets(name, plain);
  return fits_from_a_member_on(pattern, name) || fits_from_a_member_on(pattern, plain);
}

static unsigned nearest_from_a_member_on(const char *text, const char *name, unsigned distance,
                                         char form[MAI_MOST_NAME_FORM]) {
  for (; name && *name; name = next_member(name)) {
    unsigned of_form = minas_name_distance(text, name);
    if (of_form < distance) {
      distance = of_form;
      memcpy(form, name, strlen(name) + 1); /* near names are short */
    }
  }
  return distance;
}

unsigned mai_nearest_name_form(const char *text, const char *name, unsigned distance,
                               char form[MAI_MOST_NAME_FORM]) {
  char plain[MAI_MOST_NAME_FORM];
  mai_name_without_brackets(name, plain);
  distance = nearest_from_a_member_on(text, name, distance, form);
  return nearest_from_a_member_on(text, plain, distance, form);
}
