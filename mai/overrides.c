/*===-- overrides.c - policies that the user sets by name -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "overrides.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mai.h"
#include "message.h"

struct override {
  char *pattern;
  mai_policy_t policy;
};

/* Constant once mai_init() has read it. */
static struct {
  struct override *list;
  size_t count;
} overrides;

static void refuse(const char *entry, const char *reason) {
  bool strict = mai_environment_flag("MAI_STRICT");
  mai_message("MAI_POLICY: '%.200s': %s: %s", entry, reason,
              strict ? "stopped, as MAI_STRICT asks" : "it is left out");
  if (!strict)
    return;
  fflush(NULL);
  _exit(EXIT_FAILURE);
}

/* The end of the entry that begins here: a comma that stands in no list of numbers, or the end of
   the text. */
static const char *end_of_entry(const char *entry) {
  const char *comma = strchr(entry, ',');
  while (comma && comma[1] >= '0' && comma[1] <= '9')
    comma = strchr(comma + 1, ',');
  return comma ? comma : entry + strlen(entry);
}

static void read_entry(const char *entry) {
  char error[256];
  const char *colon = strchr(entry, ':');
  struct override *override = &overrides.list[overrides.count];
  if (!colon || colon == entry) {
    refuse(entry, "expected NAME:POLICY, such as u:block");
    return;
  }
  if (mai_policy_parse(colon + 1, &override->policy, error, sizeof error) != 0) {
    refuse(entry, error);
    return;
  }
  override->pattern = strndup(entry, (size_t)(colon - entry));
  if (override->pattern)
    overrides.count++;
}

static size_t count_commas(const char *text) {
  size_t count = 0;
  while ((text = strchr(text, ',')))
    count++, text++;
  return count;
}

void mai_overrides_read(void) {
  const char *text = getenv("MAI_POLICY");
  if (!text)
    return;
  overrides.list = calloc(count_commas(text) + 1, sizeof *overrides.list);
  while (overrides.list && *text) {
    const char *end = end_of_entry(text);
    char *entry = strndup(text, (size_t)(end - text));
    if (entry)
      read_entry(entry);
    free(entry);
    text = *end ? end + 1 : end;
  }
}

const mai_policy_t *mai_override_for(const char *name) {
  for (size_t i = 0; i < overrides.count; i++)
    if (fnmatch(overrides.list[i].pattern, name, 0) == 0)
      return &overrides.list[i].policy;
  return NULL;
}

bool mai_overrides_exist(void) { return overrides.count > 0; }
