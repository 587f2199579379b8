/*===-- overrides.c - policies that the user sets by name -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "overrides.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/fail.h"
#include "mai/process/call.h"
#include "mai/process/interpose.h"
#include "mai/process/message.h"
#include "mai/policy/name_forms.h"
#include "mai/policy/policy_list.h"
#include "runtime/heap.h"
#include "runtime/lock.h"
#include "runtime/nearest.h"
#include "mai/process/settings.h"

enum { MOST_PLACE = 256 };

struct override {
  char *pattern;
  char *key; /* what is in front of the lines of a site; NULL: none are told */
  mai_policy_t policy;
  unsigned line;      /* of the file that it stands in */
  atomic_bool fitted; /* an array */
  unsigned distance;  /* of the name of an array that is most like the pattern */
  char nearest[MAI_MOST_NAME_FORM];
};

/* Constant once mai_init() has read it, but for what is found out about names. */
static struct {
  struct override *list;
  size_t count, room;
  const char *file;       /* that they are from; NULL: from the variable */
  atomic_bool asked;      /* the policy for some name */
  struct minas_lock lock; /* of the nearest names */
} overrides = {.lock = MINAS_LOCK_INITIALISER};

/*===-- Reading ------------------------------------------------------------===*/

/* Where an entry stands: "MAI_POLICY", or the file and its line. */
static void describe_place(const struct mai_policy_list *list, char *place, size_t size) {
  if (list->file)
    snprintf(place, size, "%s:%u", list->file, list->line);
  else
    snprintf(place, size, "MAI_POLICY");
}

static void refuse(const struct mai_policy_list *list, const char *entry,
                   const struct mai_policy_error *error) {
  char place[MOST_PLACE];
  char shown[MAI_POLICY_SHOWN];
  describe_place(list, place, sizeof place);
  mai_policy_show(entry, error->column, shown, sizeof shown);
  if (mai_settings()->strict)
    mai_message_and_stop("%s: column %zu: %s: stopped, as MAI_STRICT asks%s", place, error->column,
                         error->reason, shown);
  mai_message("%s: column %zu: %s: it is left out%s", place, error->column, error->reason, shown);
}

/* @return 0, or -1 with errno EINVAL and the error, its column that of the entry; or ENOMEM */
static int parse_entry(const char *entry, struct override *override,
                       struct mai_policy_error *error) {
  const char *colon = mai_policy_entry_colon(entry);
  const char *name = entry + strspn(entry, " \t");
  if (!colon || colon == name) {
    *error = (struct mai_policy_error){1, "expected NAME:POLICY, such as u:block"};
    return fail(EINVAL);
  }
  const char *policy = colon + 1 + strspn(colon + 1, " \t");
  if (mai_policy_read(policy, &override->policy, error) != 0) {
    error->column += (size_t)(policy - entry);
    return -1;
  }
  while (colon > name + 1 && strchr(" \t", colon[-1]))
    colon--;
  override->pattern = minas_copy_part(name, (size_t)(colon - name));
  const char *lines = override->pattern ? strstr(override->pattern, MAI_AT_LINES) : NULL;
  if (lines)
    override->key = minas_copy_part(override->pattern, (size_t)(lines - override->pattern));
  return override->pattern && (!lines || override->key) ? 0 : -1;
}

static void release_entry(struct override *override) {
  mai_policy_release(&override->policy);
  minas_free(override->pattern);
  minas_free(override->key);
}

static bool make_room(void) {
  size_t room = overrides.room ? 2 * overrides.room : 16;
  if (overrides.count < overrides.room)
    return true;
  struct override *list = minas_resize(overrides.list, room * sizeof *list);
  if (!list)
    return false;
  overrides.list = list;
  overrides.room = room;
  return true;
}

static void read_entry(const struct mai_policy_list *list, const char *entry) {
  struct mai_policy_error error = {0};
  if (!make_room())
    return;
  struct override *override = &overrides.list[overrides.count];
  if (parse_entry(entry, override, &error) == 0) {
    override->distance = MINAS_NAMES_DIFFER;
    override->line = list->line;
    overrides.count++;
  } else if (errno == EINVAL) {
    refuse(list, entry, &error);
  }
}

static void refuse_file(const char *file) {
  const char *reason = strerrordesc_np(errno);
  if (mai_settings()->strict)
    mai_message_and_stop("MAI_POLICY: %s: %s: stopped, as MAI_STRICT asks", file, reason);
  mai_message("MAI_POLICY: %s: %s: no policies are set", file, reason);
}

static void read_list(const char *text) {
  struct mai_policy_list list;
  char *entry;
  if (mai_policy_list_open(&list, text) != 0) {
    refuse_file(text + 1);
    return;
  }
  overrides.file = list.file;
  while ((entry = mai_policy_list_next(&list))) {
    read_entry(&list, entry);
    minas_free(entry);
  }
  mai_policy_list_close(&list);
}

/* What else there is; nobody has asked for it by name. */
static void add_dynamic(void) {
  if (!make_room())
    return;
  struct override *all = &overrides.list[overrides.count];
  *all = (struct override){.pattern = minas_copy_text("*"),
                           .policy = {.kind = MAI_POLICY_DYNAMIC},
                           .fitted = true,
                           .distance = MINAS_NAMES_DIFFER};
  overrides.count += all->pattern != NULL;
}

void mai_overrides_read(void) {
  if (mai_settings()->policy)
    read_list(mai_settings()->policy);
  if (mai_settings()->dynamic)
    add_dynamic();
}

static int check_entry(const char *entry, struct mai_policy_error *error) {
  struct override override = {0};
  int result = parse_entry(entry, &override, error);
  release_entry(&override);
  return result;
}

/* What is wrong with an entry: of a text, in the whole of it.  A line of a file is not shown, which
   may be something else altogether: its number is told. */
static void explain(const struct mai_policy_list *list, const char *text, const char *entry,
                    struct mai_policy_error *error, char *explained, size_t size) {
  size_t length = 0;
  error->column += list->column;
  if (list->file)
    length = (size_t)snprintf(explained, size, "%s:%u: ", list->file, list->line);
  if (length < size)
    mai_policy_explain(list->file ? entry : text, error, explained + length, size - length);
  char *shown = list->file ? strchr(explained, '\n') : NULL;
  if (shown)
    *shown = '\0';
}

int mai_overrides_check(const char *text, char *explained, size_t size) {
  struct mai_policy_error error = {0};
  struct mai_policy_list list;
  char *entry;
  int result = 0;
  if (mai_policy_list_open(&list, text) != 0) {
    snprintf(explained, size, "%s: %s", text + 1, strerrordesc_np(errno));
    return -1;
  }
  while (result == 0 && (entry = mai_policy_list_next(&list))) {
    result = check_entry(entry, &error);
    if (result != 0)
      explain(&list, text, entry, &error, explained, size);
    minas_free(entry);
  }
  mai_policy_list_close(&list);
  return result;
}

/*===-- Names --------------------------------------------------------------===*/

/* What asks for its policy: something with names of several forms, or a site. */
struct asking {
  const char *const *names;
  size_t count;
  const struct mai_site_names *site; /* NULL: none */
};

typedef bool fitting(const char *pattern, const char *name);

static bool fits_one_of(const char *pattern, fitting *fits, const struct asking *asking) {
  for (size_t i = 0; i < asking->count; i++)
    if (fits(pattern, asking->names[i]))
      return true;
  return false;
}

static bool is_of_rows(const char *pattern) {
  return strncmp(pattern, MAI_ROWS_OF, strlen(MAI_ROWS_OF)) == 0;
}

/* Whether calls are the outer ones of those that lead to a place. */
static bool are_outer(const char *calls, const char *lines) {
  size_t length = strlen(calls);
  while ((lines = strchr(lines, '<'))) {
    lines++;
    if (strncmp(lines, calls, length) == 0 && (lines[length] == '\0' || lines[length] == '#'))
      return true;
  }
  return false;
}

/* Numbers of sites depend on what a program is given, lines do not: where both are known, the lines
   count.  Of a library that the program has loaded while it runs only the calls that lead there
   are. */
static bool fits_site(const struct override *override, const struct asking *asking) {
  const struct mai_site_names *site = asking->site;
  if (!override->key)
    return fits_one_of(override->pattern, mai_name_fits, asking);
  const char *lines = override->pattern + strlen(override->key) + strlen(MAI_AT_LINES);
  if (!*site->place || are_outer(site->calls, lines))
    return fits_one_of(override->key, mai_name_fits, asking);
  return is_of_rows(override->pattern) == site->of_rows && mai_name_fits(lines, site->place);
}

static bool fits(const struct override *override, const struct asking *asking) {
  return asking->site ? fits_site(override, asking)
                      : fits_one_of(override->pattern, mai_name_form_fits, asking);
}

/* With its lines where the entry has some: the number may be the same, and the lines have moved. */
static void note_nearest_site(struct override *override, const char *name, const char *place) {
  const char *text = override->key ? override->key : override->pattern;
  unsigned distance = minas_name_distance(text, name);
  if (distance >= override->distance)
    return;
  override->distance = distance;
  bool with_lines = override->key && *place;
  snprintf(override->nearest, sizeof override->nearest, "%s%s%s", name,
           with_lines ? MAI_AT_LINES : "", with_lines ? place : "");
}

static void note_nearest(struct override *override, const char *name,
                         const struct mai_site_names *site) {
  minas_lock(&overrides.lock);
  if (site)
    note_nearest_site(override, name, site->place);
  else
    override->distance =
        mai_nearest_name_form(override->pattern, name, override->distance, override->nearest);
  minas_unlock(&overrides.lock);
}

/* Whether an entry fits, which is remembered. */
static bool entry_fits(struct override *override, const struct asking *asking) {
  bool known = atomic_load_explicit(&override->fitted, memory_order_relaxed);
  bool fit = fits(override, asking);
  if (!known && fit)
    atomic_store_explicit(&override->fitted, true, memory_order_relaxed);
  for (size_t i = 0; !known && !fit && i < asking->count; i++)
    note_nearest(override, asking->names[i], asking->site);
  return fit;
}

void mai_overrides_matter(void) {
  if (overrides.count && !atomic_load_explicit(&overrides.asked, memory_order_relaxed))
    atomic_store_explicit(&overrides.asked, true, memory_order_relaxed);
}

/* All are tried, to tell of those that fit nothing. */
static const mai_policy_t *find(const struct asking *asking) {
  const mai_policy_t *policy = NULL;
  for (size_t i = 0; i < overrides.count; i++)
    if (entry_fits(&overrides.list[i], asking) && !policy)
      policy = &overrides.list[i].policy;
  return policy;
}

const mai_policy_t *mai_override_for_site(const struct mai_site_names *names) {
  return find(&(struct asking){names->list, names->count, names});
}

const mai_policy_t *mai_override_for_any(const char *const *names, size_t count) {
  mai_overrides_matter();
  return find(&(struct asking){names, count, NULL});
}

const mai_policy_t *mai_override_for(const char *name) { return mai_override_for_any(&name, 1); }

bool mai_overrides_exist(void) { return overrides.count > 0; }

/* The run that was counted had small blocks alone there; in this one, too, they may be too small to
   be known. */
static bool is_of_small_blocks(const struct override *override) {
  size_t length = override->key ? strlen(override->key) : 0;
  return length > 2 && strcmp(override->key + length - 2, "#0") == 0;
}

bool mai_overrides_have_small_rows(void) {
  for (size_t i = 0; i < overrides.count; i++)
    if (is_of_small_blocks(&overrides.list[i]) && is_of_rows(overrides.list[i].pattern))
      return true;
  return false;
}

static void tell_unused(const struct override *override) {
  if (atomic_load(&override->fitted) || is_of_small_blocks(override))
    return;
  char place[MOST_PLACE];
  describe_place(&(struct mai_policy_list){.file = overrides.file, .line = override->line}, place,
                 sizeof place);
  if (override->distance == MINAS_NAMES_DIFFER)
    mai_message("%s: no array fits '%s'", place, override->pattern);
  else
    mai_message("%s: no array fits '%s': is '%s' meant?", place, override->pattern,
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
