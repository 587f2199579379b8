/*===-- measure_save.c - keeps what was measured ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The file is complete or not there: it is written under another name first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure.h"

/* Make the folders of a file that are missing, for this user only, as the XDG Base Directory
   Specification has it. */
static int make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    int result = mkdir(path, 0700);
    *slash = '/';
    if (result != 0 && errno != EEXIST)
      return -1;
  }
  return 0;
}

/* The file's own folder is to be private, also one that is there: else nobody believes the file. */
static int make_private(char *path) {
  char *slash = strrchr(path, '/');
  *slash = '\0';
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  *slash = '/';
  if (folder < 0)
    return -1;
  int result = fchmod(folder, 0700);
  int error = errno;
  close(folder);
  errno = error;
  return result;
}

static int write_all(int file, const char *text, size_t size) {
  while (size > 0) {
    ssize_t bytes = write(file, text, size);
    if (bytes < 0 && errno == EINTR)
      continue;
    if (bytes < 0)
      return -1;
    text += bytes;
    size -= (size_t)bytes;
  }
  return 0;
}

static int write_and_rename(int file, const char *temporary, const char *path, const char *text) {
  int result = write_all(file, text, strlen(text));
  int error = errno;
  if (close(file) != 0 && result == 0) {
    error = errno;
    result = -1;
  }
  errno = error;
  return result == 0 ? rename(temporary, path) : -1;
}

static int replace_file(const char *path, const char *text) {
  char *temporary = NULL;
  if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
    return -1;
  int file = mkostemp(temporary, O_CLOEXEC);
  int result = file < 0 ? -1 : write_and_rename(file, temporary, path, text);
  int error = errno;
  if (file >= 0 && result != 0)
    unlink(temporary);
  free(temporary);
  errno = error;
  return result;
}

/* All nodes of both, ascending. @return how many, in `nodes` if that is not NULL */
static uint32_t unite(const struct numarch_measurement *a, const struct numarch_measurement *b,
                      uint32_t *nodes) {
  uint32_t count = 0;
  for (uint32_t i = 0, j = 0; i < a->count || j < b->count; count++) {
    bool take_a = j == b->count || (i < a->count && a->nodes[i] <= b->nodes[j]);
    bool take_b = i == a->count || (j < b->count && b->nodes[j] <= a->nodes[i]);
    if (nodes)
      nodes[count] = take_a ? a->nodes[i] : b->nodes[j];
    i += take_a;
    j += take_b;
  }
  return count;
}

/* The new values, and the old ones where there are no new; a quick new value does not replace an
   old one that took its time. */
static int merge(const struct numarch_measurement *fresh, const struct numarch_measurement *old,
                 struct numarch_measurement *merged) {
  if (numarch_measurement_init(merged, unite(fresh, old, NULL)) != 0)
    return -1;
  bool keep = fresh->quick && !old->quick && old->count > 0;
  const struct numarch_measurement *first = keep ? old : fresh;
  const struct numarch_measurement *second = keep ? fresh : old;
  unite(fresh, old, merged->nodes);
  merged->bytes = first->bytes;
  merged->quick = first->quick;
  merged->huge_pages = first->huge_pages;
  numarch_measurement_add(merged, first, false);
  if (numarch_measurement_add(merged, second, true) && second->quick)
    merged->quick = true;
  return 0;
}

static char *print_merged(const struct numarch_measurement *measurement, const char *path,
                          const char *identity) {
  struct numarch_measurement old;
  struct numarch_measurement merged = {0};
  char *problem = NULL;
  /* A broken file is replaced; numarch_open() has said what is wrong with it. */
  (void)numarch_measurement_read(path, identity, &old, &problem);
  free(problem);
  char *text = NULL;
  if (merge(measurement, &old, &merged) == 0)
    text = numarch_measurement_print(&merged, identity);
  numarch_measurement_free(&merged);
  numarch_measurement_free(&old);
  return text;
}

static int complain(const char *path) {
  fprintf(stderr, "numarch: what was measured cannot be kept: %s%s%s\n", path ? path : "",
          path ? ": " : "", strerror(errno));
  return -1;
}

static int find_identity(char identity[NUMARCH_IDENTITY_SIZE]) {
  struct numarch_discovery found;
  if (numarch_discover(&found, NUMARCH_WHOLE_MACHINE) != 0)
    return -1;
  int result = numarch_machine_identity(found.topology, identity);
  numarch_discovery_free(&found);
  return result;
}

static int save(const struct numarch_measurement *measurement, char *path, const char *identity) {
  if (make_folders(path) != 0 || make_private(path) != 0)
    return complain(path);
  char *text = print_merged(measurement, path, identity);
  int result = text && replace_file(path, text) == 0 ? 0 : complain(path);
  free(text);
  return result;
}

static bool has_values(const struct numarch_measurement *measurement) {
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    for (size_t pair = 0; pair < (size_t)measurement->count * measurement->count; pair++)
      if (measurement->tables[metric][pair] > 0)
        return true;
  return false;
}

int measure_save(const struct numarch_measurement *measurement) {
  if (!has_values(measurement))
    return 0;
  char identity[NUMARCH_IDENTITY_SIZE];
  if (find_identity(identity) != 0)
    return complain(NULL);
  char *path = numarch_measurement_path(identity);
  if (!path && errno == ENOENT) {
    fputs("numarch: what was measured cannot be kept: neither XDG_CACHE_HOME nor HOME is an "
          "absolute path\n",
          stderr);
    return -1;
  }
  int result = path ? save(measurement, path, identity) : complain(NULL);
  free(path);
  return result;
}
