/*===-- overrides.c - policies that the user sets by name -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "overrides.h"

#include <stdio.h>
#include <string.h>

#include "runtime/fail.h"
#include "mai.h"
#include "mai/process/message.h"
#include "mai/policy/pattern.h"
#include "runtime/heap.h"
#include "mai/process/settings.h"

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
  if (mai_settings()->strict)
    mai_message_and_stop("MAI_POLICY: '%.200s': %s: stopped, as MAI_STRICT asks", entry, reason);
  mai_message("MAI_POLICY: '%.200s': %s: it is left out", entry, reason);
}

/* The end of the entry that begins here: a comma that stands in no list of numbers, or the end of
   the text. */
static const char *end_of_entry(const char *entry) {
  const char *comma = strchr(entry, ',');
  while (comma && comma[1] >= '0' && comma[1] <= '9')
    comma = strchr(comma + 1, ',');
  return comma ? comma : entry + strlen(entry);
}

/* @param at receives the place in the entry that is wrong
   @return 0, or -1 with errno EINVAL or ENOMEM and what was expected in `error` */
static int parse_entry(const char *entry, struct override *override, const char **at, char *error,
                       size_t size) {
  const char *colon = strchr(entry, ':');
  *at = entry;
  if (!colon || colon == entry) {
    snprintf(error, size, "expected NAME:POLICY, such as u:block");
    return fail(EINVAL);
  }
  *at = colon + 1;
  if (mai_policy_parse(colon + 1, &override->policy, error, size) != 0)
    return -1;
  override->pattern = minas_copy_part(entry, (size_t)(colon - entry));
  return override->pattern ? 0 : -1;
}

static void read_entry(const char *entry) {
  char error[256];
  const char *at;
  if (parse_entry(entry, &overrides.list[overrides.count], &at, error, sizeof error) == 0)
    overrides.count++;
  else
    refuse(entry, error);
}

static size_t count_commas(const char *text) {
  size_t count = 0;
  while ((text = strchr(text, ',')))
    count++, text++;
  return count;
}

/* The entry that begins at `*list`, to be freed; `*list` moves to the next, or to the end. */
static char *take_entry(const char **list) {
  const char *end = end_of_entry(*list);
  char *entry = minas_copy_part(*list, (size_t)(end - *list));
  *list = *end ? end + 1 : end;
  return entry;
}

void mai_overrides_read(void) {
  const char *text = mai_settings()->policy;
  if (!text)
    return;
  overrides.list = minas_alloc_list(count_commas(text) + 1, sizeof *overrides.list);
  while (overrides.list && *text) {
    char *entry = take_entry(&text);
    if (entry)
      read_entry(entry);
    minas_free(entry);
  }
}

/* What the parser of a policy says begins with the column. */
static size_t split_off_column(char *error) {
  unsigned column = 1;
  int length = 0;
  if (sscanf(error, "column %u: %n", &column, &length) == 1 && length > 0)
    memmove(error, error + length, strlen(error + length) + 1);
  return column;
}

static int check_entry(const char *entry, size_t *column, char *error, size_t size) {
  struct override override = {0};
  const char *at;
  int result = parse_entry(entry, &override, &at, error, size);
  if (result != 0)
    *column += (size_t)(at - entry) + split_off_column(error) - 1;
  mai_policy_release(&override.policy);
  minas_free(override.pattern);
  return result;
}

int mai_overrides_check(const char *list, size_t *column, char *error, size_t size) {
  const char *next = list;
  int result = 0;
  while (*next && result == 0) {
    *column = (size_t)(next - list) + 1;
    char *entry = take_entry(&next);
    result = entry ? check_entry(entry, column, error, size) : -1;
    minas_free(entry);
  }
  return result;
}

const mai_policy_t *mai_override_for(const char *name) {
  for (size_t i = 0; i < overrides.count; i++)
    if (mai_pattern_fits(overrides.list[i].pattern, name))
      return &overrides.list[i].policy;
  return NULL;
}

bool mai_overrides_exist(void) { return overrides.count > 0; }
