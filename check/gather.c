/*===-- gather.c - the records of all ranks -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "gather.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

enum { PATIENCE_TENTHS = 100 };

int gather_folder(char *folder, size_t size) {
  char name[NAME_MAX];
  launcher_run_name(name, sizeof name);
  snprintf(folder, size, ".mai-check-%s", name);
  return mkdir(folder, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

static void name_file(const char *folder, long rank, char *path, size_t size) {
  snprintf(path, size, "%s/rank.%ld.json", folder, rank);
}

/* Others see it as a whole or not at all. */
int gather_leave(const char *folder, long rank, const json_t *record) {
  char path[PATH_MAX], part[PATH_MAX + 8];
  name_file(folder, rank, path, sizeof path);
  snprintf(part, sizeof part, "%s.part", path);
  return json_dump_file(record, part, 0) == 0 && rename(part, path) == 0 ? 0 : -1;
}

/* The record of a rank, once it is there. */
static json_t *wait_for(const char *folder, long rank, int *tenths) {
  char path[PATH_MAX];
  name_file(folder, rank, path, sizeof path);
  while (access(path, R_OK) != 0 && *tenths > 0) {
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    --*tenths;
  }
  json_t *record = json_load_file(path, 0, NULL);
  unlink(path);
  return record;
}

json_t *gather_all(const char *folder, long size) {
  json_t *all = json_array();
  int tenths = PATIENCE_TENTHS;
  for (long rank = 0; rank < size; rank++) {
    json_t *record = wait_for(folder, rank, &tenths);
    if (json_is_object(record))
      json_array_append_new(all, record);
    else
      json_decref(record);
  }
  rmdir(folder);
  return all;
}
