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

static bool has(const char *entries, long bytes, bool (*matches)(const char *name)) {
  for (long at = 0; at < bytes;) {
    const struct entry *entry = (const void *)(entries + at);
    if (entry->name[0] != '.' && matches(entry->name))
      return true;
    at += entry->bytes;
  }
  return false;
}

int minas_folder_has(const char *path, bool (*matches)(const char *name)) {
  _Alignas(struct entry) char entries[4096] = {0};
  int folder = (int)minas_system(SYS_openat, AT_FDCWD, (long)path,
                                 O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
  long bytes = 1;
  bool found = false;
  if (folder < 0)
    return -1;
  while (!found && bytes > 0) {
    bytes = minas_system(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0, 0);
    found = has(entries, bytes, matches);
  }
  minas_close(folder);
  return found;
}
