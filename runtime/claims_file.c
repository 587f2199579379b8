/*===-- claims_file.c - where programs tell of their CPUs -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "claims_file.h"

#include <inttypes.h>

#include "system.h"
#include "text.h"

enum { PRIVATE = 0700, OTHERS_BITS = 077 };

static bool is_private(int folder, uint32_t user) {
  struct statx status = {0};
  return minas_system(SYS_statx, folder, (long)"", AT_EMPTY_PATH, STATX_MODE | STATX_UID,
                      (long)&status, 0) == 0 &&
         status.stx_uid == user && !(status.stx_mode & OTHERS_BITS);
}

static int open_folder(const char *path, bool makes) {
  uint32_t user = (uint32_t)minas_system(SYS_geteuid, 0, 0, 0, 0, 0, 0);
  if (makes)
    minas_system(SYS_mkdirat, AT_FDCWD, (long)path, PRIVATE, 0, 0, 0);
  int folder = (int)minas_system(SYS_openat, AT_FDCWD, (long)path,
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, 0, 0);
  if (folder < 0 || is_private(folder, user))
    return folder;
  minas_close(folder);
  return -1;
}

static int open_file_in(const char *path, bool makes) {
  int folder = open_folder(path, makes);
  if (folder < 0)
    return -1;
  int file = (int)minas_system(
      SYS_openat, folder, (long)"cpus",
      (makes ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600, 0, 0);
  minas_close(folder);
  return file;
}

int minas_claims_open(const char *runtime_folder, bool makes) {
  struct minas_text path = {0};
  minas_text_add(&path, "/dev/shm/minas-%" PRIu32,
                 (uint32_t)minas_system(SYS_geteuid, 0, 0, 0, 0, 0, 0));
  int file = path.cut_off ? -1 : open_file_in(path.bytes, makes);
  minas_text_free(&path);
  path = (struct minas_text){0};
  if (file < 0 && runtime_folder)
    minas_text_add(&path, "%s/minas", runtime_folder);
  if (path.bytes && !path.cut_off)
    file = open_file_in(path.bytes, makes);
  minas_text_free(&path);
  return file;
}

bool minas_find_lock(int file, long start, long end, struct minas_locked *locked) {
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = end - start};
  if (start >= end || minas_system(SYS_fcntl, file, F_GETLK, (long)&lock, 0, 0, 0) != 0 ||
      lock.l_type == F_UNLCK)
    return false;
  bool ends_inside = lock.l_len && lock.l_start + lock.l_len < end;
  *locked = (struct minas_locked){.start = lock.l_start > start ? lock.l_start : start,
                                  .end = ends_inside ? lock.l_start + lock.l_len : end,
                                  .process = lock.l_pid};
  return true;
}

/* The kernel names any lock of several: what is before and behind it is asked for again. */
void minas_visit_locked(int file, long start, long end,
                        void (*visit)(const struct minas_locked *locked, void *context),
                        void *context) {
  struct minas_locked locked;
  while (minas_find_lock(file, start, end, &locked)) {
    visit(&locked, context);
    minas_visit_locked(file, start, locked.start, visit, context);
    start = locked.end;
  }
}
