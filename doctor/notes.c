/*===-- notes.c - what a look has told and found ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/lines.h"

enum { MOST_PATH = 1024 };

void doctor_tell(struct doctor *doctor, const char *subject, const char *format, ...) {
  if (doctor->fact_count == DOCTOR_MOST_FACTS)
    return;
  struct fact *fact = &doctor->facts[doctor->fact_count++];
  va_list arguments;
  va_start(arguments, format);
  fact->subject = subject;
  vsnprintf(fact->text, sizeof fact->text, format, arguments);
  va_end(arguments);
}

void doctor_find(struct doctor *doctor, const char *name, const char *cure, const char *format,
                 ...) {
  if (doctor->finding_count == DOCTOR_MOST_FINDINGS)
    return;
  struct finding *finding = &doctor->findings[doctor->finding_count++];
  va_list arguments;
  va_start(arguments, format);
  finding->name = name;
  finding->cure = cure;
  vsnprintf(finding->what, sizeof finding->what, format, arguments);
  va_end(arguments);
}

static const char *below_root(const struct doctor *doctor, const char *path, char *full) {
  snprintf(full, MOST_PATH, "%s%s", doctor->root, path);
  return full;
}

bool doctor_read(const struct doctor *doctor, const char *path, char *line, size_t size) {
  char full[MOST_PATH];
  const bool is_read = minas_read_line(below_root(doctor, path, full), line, size) == 0;
  if (is_read)
    line[strcspn(line, "\n")] = '\0';
  if (doctor->verbose)
    fprintf(stderr, "minas doctor: %s: %s\n", full, is_read ? line : "cannot be read");
  return is_read;
}

bool doctor_has(const struct doctor *doctor, const char *path) {
  char full[MOST_PATH];
  return access(below_root(doctor, path, full), F_OK) == 0;
}
