/*===-- folder.c - what is in a folder of the system ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "runtime/folder.h"

#include "runtime/system.h"

/* As the kernel lists a folder. */
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t bytes;
  uint8_t type;
  char name[];
};

/* @return whether `is_last` said so of one */
static bool visit_entries(const char *entries, long bytes,
                          bool (*is_last)(const char *name, void *context), void *context) {
  for (long at = 0; at < bytes;) {
    const struct entry *entry = (const void *)(entries + at);
    if (entry->name[0] != '.' && is_last(entry->name, context))
      return true;
    at += entry->bytes;
  }
  return false;
}

/* @return 1 when `is_last` said so of an entry, 0 when of none; -1 with errno */
static int visit_until(const char *path, bool (*is_last)(const char *name, void *context),
                       void *context) {
  _Alignas(struct entry) char entries[4096] = {0};
  int folder = (int)minas_system(SYS_openat, AT_FDCWD, (long)path,
                                 O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
  long bytes = 1;
  bool found = false;
  if (folder < 0)
    return -1;
  while (!found && bytes > 0) {
    bytes = minas_system(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0, 0);
    found = visit_entries(entries, bytes, is_last, context);
  }
  minas_close(folder);
  return found;
}

struct match {
  bool (*matches)(const char *name);
};

static bool is_match(const char *name, void *context) {
  return ((const struct match *)context)->matches(name);
}

int minas_folder_has(const char *path, bool (*matches)(const char *name)) {
  struct match match = {matches};
  return visit_until(path, is_match, &match);
}

struct visitor {
  void (*visit)(const char *name, void *context);
  void *context;
};

static bool visit_and_go_on(const char *name, void *context) {
  const struct visitor *visitor = context;
  visitor->visit(name, visitor->context);
  return false;
}

int minas_folder_visit(const char *path, void (*visit)(const char *name, void *context),
                       void *context) {
  struct visitor visitor = {visit, context};
  return visit_until(path, visit_and_go_on, &visitor) < 0 ? -1 : 0;
}
