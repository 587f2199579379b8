/*===-- overrides.c - policies that the user sets by name -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "overrides.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/fail.h"
#include "mai/process/call.h"
#include "mai/process/interpose.h"
#include "mai/process/message.h"
#include "mai/process/nearest.h"
#include "mai/policy/pattern.h"
#include "runtime/heap.h"
#include "runtime/lock.h"
#include "mai/process/settings.h"

enum { MOST_SHOWN = 64 };

struct override {
  char *pattern;
  mai_policy_t policy;
  atomic_bool fitted; /* an array */
  unsigned distance;  /* of the name of an array that is most like the pattern */
  char nearest[MOST_SHOWN + 1];
};

/* Constant once mai_init() has read it, but for what is found out about names. */
static struct {
  struct override *list;
  size_t count;
  atomic_bool asked;      /* the policy for some name */
  struct minas_lock lock; /* of the nearest names */
} overrides = {.lock = MINAS_LOCK_INITIALISER};

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

/* The colon behind a name, in which colons are in pairs: Grid::allocate; NULL where there is none.
 */
static const char *end_of_name(const char *entry) {
  const char *colon = strchr(entry, ':');
  while (colon && colon[1] == ':')
    colon = strchr(colon + 2, ':');
  return colon;
}

/* @return 0, or -1 with errno EINVAL and the error, its column that of the entry; or ENOMEM */
static int parse_entry(const char *entry, struct override *override,
                       struct mai_policy_error *error) {
  const char *colon = end_of_name(entry);
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
    overrides.list[overrides.count++].distance = MAI_NAMES_DIFFER;
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

/*===-- Names --------------------------------------------------------------===*/

static void note_nearest(struct override *override, const char *name) {
  unsigned distance = mai_name_distance(override->pattern, name);
  minas_lock(&overrides.lock);
  if (distance < override->distance) {
    override->distance = distance;
    memcpy(override->nearest, name, strlen(name) + 1); /* near names are short */
  }
  minas_unlock(&overrides.lock);
}

static bool fits_one_of(const struct override *override, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (mai_pattern_fits(override->pattern, names[i]))
      return true;
  return false;
}

/* Whether an entry fits, which is remembered. */
static bool fits(struct override *override, const char *const *names, size_t count) {
  bool known = atomic_load_explicit(&override->fitted, memory_order_relaxed);
  bool fit = fits_one_of(override, names, count);
  if (!known && fit)
    atomic_store_explicit(&override->fitted, true, memory_order_relaxed);
  for (size_t i = 0; !known && !fit && i < count; i++)
    note_nearest(override, names[i]);
  return fit;
}

/* All are tried, to tell of those that fit nothing. */
const mai_policy_t *mai_override_for_any(const char *const *names, size_t count) {
  const mai_policy_t *policy = NULL;
  if (overrides.count && !atomic_load_explicit(&overrides.asked, memory_order_relaxed))
    atomic_store_explicit(&overrides.asked, true, memory_order_relaxed);
  for (size_t i = 0; i < overrides.count; i++)
    if (fits(&overrides.list[i], names, count) && !policy)
      policy = &overrides.list[i].policy;
  return policy;
}

const mai_policy_t *mai_override_for(const char *name) { return mai_override_for_any(&name, 1); }

bool mai_overrides_exist(void) { return overrides.count > 0; }

static void tell_unused(const struct override *override) {
  if (atomic_load(&override->fitted))
    return;
  if (override->distance == MAI_NAMES_DIFFER)
    mai_message("MAI_POLICY: no array fits '%s'", override->pattern);
  else
    mai_message("MAI_POLICY: no array fits '%s': is '%s' meant?", override->pattern,
                override->nearest);
}

/* Whether entries are for this program: mai-run's may start others, such as a compiler. */
static bool is_meant(void) {
  if (!mai_settings()->run_process)
    return true;
  return atomic_load(&overrides.asked) &&
         (mai_settings_are_users() || mai_interpose_finds_openmp());
}

void mai_overrides_tell_unused(void) {
  static atomic_bool told;
  MAI_CALL;
  if (!overrides.count || !mai_settings_are_first_process() || !is_meant() ||
      atomic_exchange(&told, true))
    return;
  for (size_t i = 0; i < overrides.count; i++)
    tell_unused(&overrides.list[i]);
}
