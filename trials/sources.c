/*===-- sources.c - a program's sources, as far as they can be rewritten -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "sources.h"

#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of a folder that somebody names by mistake, and of a file. */
enum { MOST_ENTRIES = 100000, MOST_BYTES = 1 << 20 };

static bool is_c(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && strcmp(dot, ".c") == 0;
}

static bool has_openmp(const char *path) {
  static char bytes[MOST_BYTES];
  static const char word[] = "pragma omp";
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file)
    fclose(file);
  return memmem(bytes, length, word, strlen(word)) != NULL;
}

static void note(struct sources *sources, const char *path) {
  if (sources->count++ == 0)
    snprintf(sources->first, sizeof sources->first, "%s", path);
}

static void look_at_entry(struct sources *sources, FTS *all, FTSENT *entry) {
  if (entry->fts_level > 0 && *entry->fts_name == '.')
    fts_set(all, entry, FTS_SKIP);
  else if (entry->fts_info == FTS_F && entry->fts_level == 1 &&
           strcmp(entry->fts_name, "CMakeLists.txt") == 0)
    sources->has_cmake = true;
  else if (entry->fts_info == FTS_F && is_c(entry->fts_name) && has_openmp(entry->fts_accpath))
    note(sources, entry->fts_path);
}

static int by_name(const FTSENT **one, const FTSENT **other) {
  return strcmp((*one)->fts_name, (*other)->fts_name);
}

int sources_read(const char *folder, struct sources *sources) {
  char *const roots[] = {(char *)folder, NULL};
  *sources = (struct sources){.folder = folder};
  int opened =
      open(folder, O_RDONLY | O_DIRECTORY); /* to fts it would be an entry like any other */
  if (opened < 0)
    return -1;
  close(opened);
  FTS *all = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
  if (!all)
    return -1;
  FTSENT *entry;
  for (long seen = 0; seen < MOST_ENTRIES && (entry = fts_read(all)); seen++)
    look_at_entry(sources, all, entry);
  fts_close(all);
  return 0;
}

void sources_cure(const struct sources *sources, const char *profile, char *text, size_t size) {
  const char *option = *profile ? "--profile=" : "";
  const char *here = *profile ? "$PWD/" : "";
  *text = '\0';
  if (sources->count == 1)
    snprintf(text, size, "mapp-rewrite %s%s%s%s", option, profile, *profile ? " " : "",
             sources->first);
  else if (sources->count > 1 && sources->has_cmake)
    snprintf(text, size, "CC=\"maicc %s%s%s\" cmake -S %s -B minas-build", option, here, profile,
             sources->folder);
  else if (sources->count > 1)
    snprintf(text, size, "make -C %s CC=\"maicc %s%s%s\"", sources->folder, option, here, profile);
}
