/*===-- learned.c - the policies to begin with next time --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "learned.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "mai/arrays/dynamic_arrays.h"
#include "mai/arrays/summaries.h"
#include "mai/process/message.h"
#include "mai/process/settings.h"
#include "report_file.h"
#include "runtime/text.h"

/* What patterns take for something else stands behind a backslash. */
static void write_name(struct minas_text *out, const char *name) {
  for (; *name; name++) {
    if (strchr("*?[\\", *name))
      minas_text_add_char(out, '\\');
    minas_text_add_char(out, *name);
  }
}

static void write_entry(struct minas_text *out, const struct mai_summary *array) {
  write_name(out, array->site ? array->site->key : array->name);
  minas_text_add(out, ": %s\n", array->account->policy);
}

/* @return 0, or -1 with errno ENOMEM */
static int write_entries(struct minas_text *out) {
  struct mai_summaries summaries;
  if (mai_summaries_make(&summaries) != 0)
    return -1;
  minas_text_add(out, "# found while %s ran\n", program_invocation_short_name);
  for (size_t i = 0; i < summaries.count; i++)
    if (summaries.list[i].account && *summaries.list[i].account->policy)
      write_entry(out, &summaries.list[i]);
  mai_summaries_free(&summaries);
  errno = ENOMEM;
  return out->cut_off ? -1 : 0;
}

void mai_learned_write(void) {
  struct minas_text path = {0}, text = {0};
  if (!mai_settings()->learn)
    return;
  mai_report_file_name(&path, mai_settings()->learn, mai_settings_are_users());
  if (path.cut_off || write_entries(&text) != 0 || mai_report_file_write(&path, &text) != 0)
    mai_message("no policies written: %s: %s", mai_settings()->learn, strerrordesc_np(errno));
  minas_text_free(&path);
  minas_text_free(&text);
}
