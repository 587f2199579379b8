/*===-- overrides.c - policies that the user sets by name -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "overrides.h"

#include <errno.h>
#include <string.h>

#include "runtime/fail.h"
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

static void refuse(const char *entry, const struct mai_policy_error *error) {
  char shown[MAI_POLICY_SHOWN];
  mai_policy_show(entry, error->column, shown, sizeof shown);
  if (mai_settings()->strict)
    mai_message_and_stop("MAI_POLICY: column %zu: %s: stopped, as MAI_STRICT asks%s", error->column,
                         error->reason, shown);
  mai_message("MAI_POLICY: column %zu: %s: it is left out%s", error->column, error->reason, shown);
}

/* The end of the entry that begins here: a comma that stands in no list of numbers, or the end of
   the text. */
static const char *end_of_entry(const char *entry) {
  const char *comma = strchr(entry, ',');
  while (comma && comma[1] >= '0' && comma[1] <= '9')
    comma = strchr(comma + 1, ',');
  return comma ? comma : entry + strlen(entry);
}

/* @return 0, or -1 with errno EINVAL and the error, its column that of the entry; or ENOMEM */
static int parse_entry(const char *entry, struct override *override,
                       struct mai_policy_error *error) {
  const char *colon = strchr(entry, ':');
  if (!colon || colon == entry) {
    *error = (struct mai_policy_error){1, "expected NAME:POLICY, such as u:block"};
    return fail(EINVAL);
  }
  if (mai_policy_read(colon + 1, &override->policy, error) != 0) {
    error->column += (size_t)(colon + 1 - entry);
    return -1;
  }
  override->pattern = minas_copy_part(entry, (size_t)(colon - entry));
  return override->pattern ? 0 : -1;
}

static void read_entry(const char *entry) {
  struct mai_policy_error error = {0};
  if (parse_entry(entry, &overrides.list[overrides.count], &error) == 0)
    overrides.count++;
  else if (errno == EINVAL)
    refuse(entry, &error);
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

static int check_entry(const char *entry, struct mai_policy_error *error) {
  struct override override = {0};
  int result = parse_entry(entry, &override, error);
  mai_policy_release(&override.policy);
  minas_free(override.pattern);
  return result;
}

int mai_overrides_check(const char *list, char *explained, size_t size) {
  struct mai_policy_error error = {0};
  const char *next = list;
  int result = 0;
  while (*next && result == 0) {
    size_t before = (size_t)(next - list);
    char *entry = take_entry(&next);
    result = entry ? check_entry(entry, &error) : -1;
    error.column += result == 0 ? 0 : before;
    minas_free(entry);
  }
  mai_policy_explain(list, &error, explained, size);
  return result;
}

const mai_policy_t *mai_override_for(const char *name) {
  for (size_t i = 0; i < overrides.count; i++)
    if (mai_pattern_fits(overrides.list[i].pattern, name))
      return &overrides.list[i].policy;
  return NULL;
}

bool mai_overrides_exist(void) { return overrides.count > 0; }
