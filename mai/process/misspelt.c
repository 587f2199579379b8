/*===-- misspelt.c - variables of MAi that nobody reads ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "misspelt.h"

#include <string.h>

#include "message.h"
#include "runtime/heap.h"
#include "runtime/nearest.h"
#include "settings.h"

enum { MOST = 8 };

#define FLAGS                                                                                      \
  "MAI_DYNAMIC", "MAI_DYNAMIC_CHAOS", "MAI_POPULATE", "MAI_STRICT", "MAI_VERBOSE", "MAI_WATCH"

static const char *const flags[] = {FLAGS};

/* Those of traced programs as well: they have the same environment. */
static const char *const known[] = {FLAGS,
                                    "MAI_CHECK",
                                    "MAI_DYNAMIC_BUDGET",
                                    "MAI_LEARN",
                                    "MAI_LOOPS",
                                    "MAI_MAP_FILE",
                                    "MAI_MAPPING",
                                    "MAI_MESSAGES",
                                    "MAI_NAMES",
                                    "MAI_NEIGHBOURS",
                                    "MAI_POLICY",
                                    "MAI_RECORD_BLOCK",
                                    "MAI_RECORD_LOG",
                                    "MAI_REPORT",
                                    "MAI_RUN_KEEP",
                                    "MAI_RUN_LEAST_BYTES",
                                    "MAI_RUN_LIST",
                                    "MAI_RUN_PROCESS",
                                    "MAI_RUN_WRAPPERS",
                                    "MAI_TASKS",
                                    "MAI_THREADS",
                                    "MAI_TRACE_AFTER",
                                    "MAI_TRACE_BLOCK",
                                    "MAI_TRACE_CACHE",
                                    "MAI_TRACE_CHECKPOINT",
                                    "MAI_TRACE_FILE",
                                    "MAI_TRACE_FOR",
                                    "MAI_TRACE_LINE",
                                    "MAI_TRACE_MEMORY",
                                    "MAI_TRACE_MODEL",
                                    "MAI_TRACE_MODEL_CACHE",
                                    "MAI_TRACE_MODEL_NODES",
                                    "MAI_TRACE_MODEL_WAYS",
                                    "MAI_TRACE_PARENT",
                                    "MAI_TRACE_PACE",
                                    "MAI_TRACE_PHASES",
                                    "MAI_TRACE_TASKS",
                                    "MAI_TRACE_SAMPLE",
                                    "MAI_TRACE_SLICES",
                                    "MAI_TRACE_SOURCES",
                                    "MAI_TRACE_TRANSFERS"};

/* A variable that means nothing, or not what it says.  The environment may change until it is told
   of. */
static struct odd {
  const char *name;
  const char *value; /* of a flag, or NULL */
  const char *meant; /* the variable that has a name like this, or NULL */
} odd[MOST];
static unsigned count;

#define LENGTH(list) (sizeof(list) / sizeof *(list))

/* Without strcmp(), as in settings.c. */
static bool is_equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

static bool is_one_of(const char *name, const char *const *list, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (is_equal(name, list[i]))
      return true;
  return false;
}

static bool is_flags_value(const char *value) {
  return !*value || is_equal(value, "0") || is_equal(value, "1");
}

static void note(const char *name, const char *value) {
  bool flag = is_one_of(name, flags, LENGTH(flags));
  if (flag ? is_flags_value(value) : is_one_of(name, known, LENGTH(known)))
    return;
  odd[count++] =
      (struct odd){.name = name,
                   .value = flag ? minas_copy_text(value) : NULL,
                   .meant = flag ? name : minas_nearest_name(name, known, LENGTH(known))};
}

/* `variable` is NAME=VALUE. */
static void look_at(const char *variable) {
  const char *equals = strchr(variable, '=');
  if (!equals || strncmp(variable, "MAI_", 4) != 0)
    return;
  char *name = minas_copy_part(variable, (size_t)(equals - variable));
  if (name)
    note(name, equals + 1);
}

bool mai_misspelt_find(char *const *environment) {
  bool near = false;
  for (; environment && *environment && count < MOST; environment++)
    look_at(*environment);
  for (unsigned i = 0; i < count; i++)
    near = near || odd[i].meant;
  return near;
}

/* Other software may have variables of such a name: these are told of where all is. */
static void tell(const struct odd *entry) {
  if (entry->value)
    mai_message("%s: expected 0 or 1, found '%s': it is taken as 1", entry->name, entry->value);
  else if (entry->meant)
    mai_message("%s is no variable of MAi and has no effect: is %s meant?", entry->name,
                entry->meant);
  else if (mai_settings()->verbose)
    mai_message("%s is no variable of MAi and has no effect", entry->name);
}

void mai_misspelt_tell(void) {
  if (!mai_settings_are_users())
    return;
  for (unsigned i = 0; i < count; i++)
    tell(&odd[i]);
}
