/*===-- environment.c - what a program that is executed has preloaded *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "environment.h"

#include <limits.h>
#include <string.h>

#include "binary.h"
#include "runtime/system.h"

static const char variable[] = "LD_PRELOAD=";

/* NULL: the entry is another variable's. */
static const char *libraries_of(const char *entry) {
  size_t length = sizeof variable - 1;
  return strncmp(entry, variable, length) == 0 ? entry + length : NULL;
}

/* One of the libraries of a list, which blanks and colons divide. */
struct library {
  const char *path;
  size_t length;
};

/* @return whether there is another one, and then what is behind it */
static bool next_library(const char **list, struct library *library) {
  library->path = *list + strspn(*list, ": ");
  library->length = strcspn(library->path, ": ");
  *list = library->path + library->length;
  return library->length > 0;
}

/* Its file's name; what is behind the library stays. */
static const char *name_of(const struct library *library) {
  const char *name = library->path;
  for (size_t i = 0; i < library->length; i++)
    if (library->path[i] == '/')
      name = library->path + i + 1;
  return name;
}

static bool is_ours(const struct library *library) {
  const char *name = name_of(library);
  return strncmp(name, "libmai.", 7) == 0 || strncmp(name, "libmai-", 7) == 0;
}

static bool lists_ours(const char *list) {
  struct library library;
  while (next_library(&list, &library))
    if (is_ours(&library))
      return true;
  return false;
}

/* What has no folder is looked for in many. */
static bool can_be_read(const struct library *library) {
  char path[PATH_MAX];
  if (library->path == name_of(library) || library->length >= sizeof path)
    return true;
  memcpy(path, library->path, library->length);
  path[library->length] = '\0';
  int file = minas_open(path);
  if (file >= 0)
    minas_close(file);
  return file >= 0;
}

static bool finds_ours(const char *list) {
  struct library library;
  while (next_library(&list, &library))
    if (is_ours(&library) && !can_be_read(&library))
      return false;
  return true;
}

static bool lists(const char *list, const struct library *wanted) {
  struct library library;
  while (next_library(&list, &library))
    if (library.length == wanted->length && memcmp(library.path, wanted->path, wanted->length) == 0)
      return true;
  return false;
}

/* Writes the entry of a list without ours. @return behind the text; at it where none is left */
static char *write_others(const char *list, char *text) {
  struct library library;
  char *begin = text + sizeof variable - 1, *end = begin;
  while (next_library(&list, &library))
    if (!is_ours(&library)) {
      memcpy(end, library.path, library.length);
      end += library.length;
      *end++ = ':';
    }
  if (end == begin)
    return text;
  memcpy(text, variable, sizeof variable - 1);
  end[-1] = '\0';
  return end;
}

bool loading_has_ours(char *const *environment) {
  for (; environment && *environment; environment++) {
    const char *list = libraries_of(*environment);
    if (list && lists_ours(list))
      return true;
  }
  return false;
}

bool loading_finds_ours(char *const *environment) {
  for (; *environment; environment++) {
    const char *list = libraries_of(*environment);
    if (list && !finds_ours(list))
      return false;
  }
  return true;
}

struct loading_room loading_room(char *const *environment) {
  struct loading_room room = {1, 0};
  for (; *environment; environment++, room.entries++)
    if (libraries_of(*environment))
      room.bytes += strlen(*environment) + 1;
  return room;
}

void loading_write_without_ours(char *const *environment, char **entries, char *text) {
  for (; *environment; environment++) {
    const char *list = libraries_of(*environment);
    char *end = list ? write_others(list, text) : text;
    if (!list)
      *entries++ = *environment;
    else if (end != text)
      *entries++ = text;
    text = end;
  }
  *entries = NULL;
}

/* What the user has preloaded stands behind ours, and stays. */
void loading_remove_sanitizer(char **environment) {
  for (; environment && *environment; environment++) {
    const char *list = libraries_of(*environment), *rest = list;
    struct library first;
    if (!list || !next_library(&rest, &first) || !binary_is_sanitizer(name_of(&first)) ||
        !lists_ours(rest) || lists(rest, &first))
      continue;
    rest += strspn(rest, ": ");
    memmove(*environment + sizeof variable - 1, rest, strlen(rest) + 1);
  }
}
