/*===-- policy_list.c - the entries of a list of policies -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "policy_list.h"

#include <string.h>

#include "runtime/fail.h"
#include "runtime/heap.h"
#include "runtime/system.h"

const char *mai_policy_entry_colon(const char *entry) {
  const char *colon = strchr(entry, ':');
  while (colon && colon[1] == ':')
    colon = strchr(colon + 2, ':');
  return colon;
}

/*===-- Text ---------------------------------------------------------------===*/

static bool has(const char *begin, const char *end, char byte) {
  return begin < end && memchr(begin, byte, (size_t)(end - begin));
}

/* Whether a comma stands in a name such as "Sweep<Threads, GroupFastest>::flux". */
static bool is_in_template(const char *entry, const char *comma) {
  const char *colon = mai_policy_entry_colon(entry);
  return colon && has(entry, comma, '<') && has(comma, colon, '>');
}

static bool is_in_list(const char *comma) { return comma[1] >= '0' && comma[1] <= '9'; }

/* The end of the entry that begins here: a comma that stands in no list of numbers and no name, or
   the end of the text. */
static const char *end_of_entry(const char *entry) {
  const char *comma = strchr(entry, ',');
  while (comma && (is_in_list(comma) || is_in_template(entry, comma)))
    comma = strchr(comma + 1, ',');
  return comma ? comma : entry + strlen(entry);
}

static char *take_entry(struct mai_policy_list *list, const char *whole) {
  if (!*whole)
    return NULL;
  const char *end = end_of_entry(whole);
  list->text = *end ? end + 1 : end;
  return minas_copy_part(whole, (size_t)(end - whole));
}

/*===-- Files --------------------------------------------------------------===*/

static int open_file(struct mai_policy_list *list) {
  struct statx status = {0};
  if (minas_lines_open(&list->lines, list->file) != 0)
    return -1;
  if (minas_file_status(list->lines.file, &status) == 0 && S_ISREG(status.stx_mode))
    return 0;
  minas_lines_close(&list->lines);
  return fail(S_ISDIR(status.stx_mode) ? EISDIR : EINVAL);
}

static const char blanks[] = " \t\r";

/* A line without its comment and the blanks around what is left. */
static char *trim(char *line) {
  line += strspn(line, blanks);
  char *comment = line;
  while ((comment = strchr(comment, '#')) && comment > line && !strchr(blanks, comment[-1]))
    comment++;
  size_t length = comment ? (size_t)(comment - line) : strlen(line);
  while (length && strchr(blanks, line[length - 1]))
    length--;
  line[length] = '\0';
  return line;
}

static char *take_line(struct mai_policy_list *list) {
  char *line;
  while ((line = minas_lines_next(&list->lines))) {
    list->line++;
    if (list->lines.skip)
      return minas_copy_text("");
    line = trim(line);
    if (*line)
      return minas_copy_text(line);
  }
  return NULL;
}

/*===-- Both ---------------------------------------------------------------===*/

int mai_policy_list_open(struct mai_policy_list *list, const char *text) {
  *list = (struct mai_policy_list){.text = text};
  if (*text != '@')
    return 0;
  list->text = NULL;
  list->file = text + 1;
  return open_file(list);
}

char *mai_policy_list_next(struct mai_policy_list *list) {
  if (list->file)
    return take_line(list);
  const char *before = list->text;
  char *entry = take_entry(list, before);
  list->column += list->length;
  list->length = (size_t)(list->text - before);
  return entry;
}

void mai_policy_list_close(struct mai_policy_list *list) {
  if (list->file)
    minas_lines_close(&list->lines);
}
