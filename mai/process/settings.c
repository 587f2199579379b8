/*===-- settings.c - what the user has set in the environment ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "settings.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "misspelt.h"
#include "runtime/environment.h"
#include "runtime/heap.h"
#include "runtime/rights.h"
#include "runtime/system.h"
#include "runtime/text.h"

static struct mai_settings settings;
static uint32_t process; /* that read it */

/* The value of a variable; NULL where it is not set or empty. */
static const char *find(char *const *environment, const char *name) {
  const char *value = minas_environment_find(environment, name);
  return value && *value ? value : NULL;
}

/* Programs overwrite what was behind their arguments, to show another name. */
static const char *text(char *const *environment, const char *name) {
  const char *value = find(environment, name);
  const char *copy = value ? minas_copy_text(value) : NULL;
  return copy ? copy : value;
}

/* Without strcmp(): ThreadSanitizer stands in front of it, and may not have begun yet. */
static bool is_just(const char *value, char digit) {
  return value && value[0] == digit && value[1] == '\0';
}

static bool is_all(const char *value) {
  return value && value[0] == 'a' && value[1] == 'l' && value[2] == 'l' && value[3] == '\0';
}

static bool flag(char *const *environment, const char *name) {
  const char *value = find(environment, name);
  return value && !is_just(value, '0');
}

/* A program may change to another directory before it ends. */
static const char *absolute(const char *path) {
  char directory[4096];
  struct minas_text text = {0};
  if (!path || *path == '/' || is_just(path, '1') ||
      minas_system(SYS_getcwd, (long)directory, sizeof directory, 0, 0, 0, 0) <= 0)
    return path;
  minas_text_add_string(&text, directory);
  minas_text_add_char(&text, '/');
  minas_text_add_string(&text, path);
  return text.cut_off ? path : text.bytes;
}

/* A list of policies that is a file. */
static const char *absolute_list(const char *list) {
  struct minas_text text = {0};
  if (!list || *list != '@')
    return list;
  minas_text_add_char(&text, '@');
  minas_text_add_string(&text, absolute(list + 1));
  return text.cut_off ? list : text.bytes;
}

/* The library is linked so that this runs before the constructors of all other libraries, and
   before clang's ThreadSanitizer has a printf(). */
__attribute__((constructor(101))) static void read_environment(int count, char **arguments,
                                                               char **environment) {
  (void)count;
  (void)arguments;
  process = minas_process();
  if (minas_has_others_rights())
    return;
  const char *verbose = find(environment, "MAI_VERBOSE");
  const char *runtime_folder = find(environment, "XDG_RUNTIME_DIR");
  settings = (struct mai_settings){
      .map_file = text(environment, "MAI_MAP_FILE"),
      .mapping = text(environment, "MAI_MAPPING"),
      .policy = absolute_list(text(environment, "MAI_POLICY")),
      .names = text(environment, "MAI_NAMES"),
      .report = flag(environment, "MAI_REPORT") ? absolute(text(environment, "MAI_REPORT")) : NULL,
      .learn = absolute(text(environment, "MAI_LEARN")),
      .loops = text(environment, "MAI_LOOPS"),
      .tasks = text(environment, "MAI_TASKS"),
      .run_process = text(environment, "MAI_RUN_PROCESS"),
      .least_size = text(environment, "MAI_RUN_LEAST_BYTES"),
      .wrappers = text(environment, "MAI_RUN_WRAPPERS"),
      .keep = text(environment, "MAI_RUN_KEEP"),
      .runtime_folder =
          runtime_folder && *runtime_folder == '/' ? text(environment, "XDG_RUNTIME_DIR") : NULL,
      .threads = text(environment, "MAI_THREADS"),
      .all_threads = is_all(find(environment, "MAI_THREADS")),
      .list = flag(environment, "MAI_RUN_LIST"),
      .alone = is_just(find(environment, "MAI_NEIGHBOURS"), '0'),
      .dynamic_budget = text(environment, "MAI_DYNAMIC_BUDGET"),
      .dynamic = flag(environment, "MAI_DYNAMIC"),
      .dynamic_chaos = flag(environment, "MAI_DYNAMIC_CHAOS"),
      .populate = flag(environment, "MAI_POPULATE"),
      .strict = flag(environment, "MAI_STRICT"),
      .verbose = flag(environment, "MAI_VERBOSE"),
      .silent = is_just(verbose, '0'),
      .watch = flag(environment, "MAI_WATCH"),
  };
  bool misspelt = mai_misspelt_find(environment);
  settings.any = misspelt || settings.map_file || settings.mapping || settings.policy ||
                 settings.report || settings.strict || settings.verbose || settings.watch ||
                 settings.loops || settings.tasks;
}

const struct mai_settings *mai_settings(void) { return &settings; }

bool mai_settings_are_users(void) {
  char number[16];
  snprintf(number, sizeof number, "%" PRIu32, minas_process());
  return !settings.run_process || strcmp(settings.run_process, number) == 0;
}

bool mai_settings_are_first_process(void) { return process == minas_process(); }

bool mai_settings_report_wanted(void) {
  return (settings.report || settings.learn) && mai_settings_are_first_process();
}
