/*===-- new_file.c - files that are whole or not there ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "runtime/new_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime/lines.h"
#include "runtime/system.h"

enum { READ_AND_WRITE = 0666, MODE_BITS = 0777, MOST_NAMES = 16, DECIMAL = 10 };

/* @param flags AT_SYMLINK_NOFOLLOW or 0. @return the type and mode of a file; 0: there is none */
static unsigned mode_of(const char *path, int flags) {
  struct statx status = {0};
  return minas_system(SYS_statx, AT_FDCWD, (long)path, flags, STATX_TYPE | STATX_MODE,
                      (long)&status, 0) == 0
             ? status.stx_mode
             : 0;
}

/* Whether anybody may put files, and links, where this one is. */
static bool is_among_anybodys(const char *path) {
  const char *slash = strrchr(path, '/');
  struct minas_text folder = {0};
  if (slash)
    minas_text_add(&folder, "%.*s/", (int)(slash - path), path);
  else
    minas_text_add(&folder, ".");
  bool result = folder.cut_off || (mode_of(folder.bytes, 0) & S_IWOTH);
  minas_text_free(&folder);
  return result;
}

static int open_file(const char *path, int flags) {
  return (int)minas_system(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CLOEXEC | flags,
                           READ_AND_WRITE, 0, 0);
}

/* The file system's clock is behind the one that tells when processes began: by a tick, and by more
   where a machine's CPUs are taken away.  So the file says when it was written by that one. */
static int write_and_close(int file, const struct minas_text *text) {
  int result = minas_text_write(text, file);
  struct timespec now[2] = {[0].tv_nsec = UTIME_NOW};
  if (result == 0 && clock_gettime(CLOCK_REALTIME, &now[1]) == 0)
    minas_kernel_call(SYS_utimensat, file, 0, (long)now, 0, 0, 0);
  minas_close(file);
  return result;
}

static int write_into(const char *path, int flags, const struct minas_text *text) {
  int file = open_file(path, flags);
  return file < 0 ? -1 : write_and_close(file, text);
}

/* What a name such as /dev/stdout or /dev/fd/5 stands for. @return a file that is open already, or
   -1 */
static int open_already(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  if (strcmp(path, "/dev/stdout") == 0)
    return STDOUT_FILENO;
  if (strcmp(path, "/dev/stderr") == 0)
    return STDERR_FILENO;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    const char *text = path + strlen(folders[i]);
    uint64_t number;
    if (strncmp(path, folders[i], strlen(folders[i])) == 0 &&
        minas_scan_number(&text, DECIMAL, &number) && *text == 0 && number <= INT_MAX)
      return (int)number;
  }
  return -1;
}

/* A new file beside another one. @return its number, or -1 with errno */
static int open_beside(const char *path, struct minas_text *name) {
  int file = -1;
  for (unsigned i = 0; i < MOST_NAMES && file < 0 && (i == 0 || errno == EEXIST); i++) {
    minas_text_free(name);
    *name = (struct minas_text){0};
    minas_text_add(name, "%s.%" PRIu32 ".%u~", path, minas_process(), i);
    if (name->cut_off) {
      errno = ENOMEM;
      return -1;
    }
    file = open_file(name->bytes, O_CREAT | O_EXCL | O_NOFOLLOW);
  }
  return file;
}

static int rename_to(const char *name, const char *path, unsigned flags) {
  return (int)minas_system(SYS_renameat2, AT_FDCWD, (long)name, AT_FDCWD, (long)path, flags, 0);
}

/* Whether a file, or what a link stands for, was written then or later; NULL: no file counts. */
static bool is_written_since(const char *path, const struct timespec *since) {
  struct statx status = {0};
  if (!since || minas_system(SYS_statx, AT_FDCWD, (long)path, 0, STATX_TYPE | STATX_MTIME,
                             (long)&status, 0) != 0)
    return false;
  if (!S_ISREG(status.stx_mode) || status.stx_mtime.tv_sec != since->tv_sec)
    return S_ISREG(status.stx_mode) && status.stx_mtime.tv_sec > since->tv_sec;
  return status.stx_mtime.tv_nsec >= since->tv_nsec;
}

/* Two processes may come here at once, and both have seen an old file, or none: who finds that he
   has taken a new one's name gives it back. */
static int rename_over_older(const char *name, const char *path, const struct timespec *since) {
  if (rename_to(name, path, RENAME_EXCHANGE) == 0) {
    if (!is_written_since(name, since))
      return (int)minas_system(SYS_unlinkat, AT_FDCWD, (long)name, 0, 0, 0, 0);
    rename_to(name, path, RENAME_EXCHANGE);
    errno = EEXIST;
    return -1;
  }
  int result = errno == ENOENT ? rename_to(name, path, RENAME_NOREPLACE) : -1;
  if (result != 0 && errno == EINVAL) /* a file system that knows neither */
    result = rename_to(name, path, 0);
  return result;
}

static int finish(int file, const char *name, const char *path, const struct timespec *since,
                  const struct minas_text *text) {
  unsigned mode = mode_of(path, AT_SYMLINK_NOFOLLOW);
  if (S_ISREG(mode))
    minas_system(SYS_fchmod, file, (long)(mode & MODE_BITS), 0, 0, 0, 0);
  int result = write_and_close(file, text);
  if (result == 0)
    result = since ? rename_over_older(name, path, since) : rename_to(name, path, 0);
  if (result != 0) {
    int error = errno;
    minas_system(SYS_unlinkat, AT_FDCWD, (long)name, 0, 0, 0, 0);
    errno = error;
  }
  return result;
}

/* @param since NULL: whatever is there is replaced */
static int replace(const char *path, const struct timespec *since, const struct minas_text *text) {
  int open = open_already(path);
  if (open >= 0)
    return minas_text_write(text, open);
  unsigned mode = mode_of(path, AT_SYMLINK_NOFOLLOW);
  if (S_ISLNK(mode) && is_among_anybodys(path)) {
    errno = ELOOP;
    return -1;
  }
  if (is_written_since(path, since)) {
    errno = EEXIST;
    return -1;
  }
  if (S_ISLNK(mode))
    return write_into(path, O_CREAT | O_TRUNC, text);
  if (mode != 0 && !S_ISREG(mode))
    return write_into(path, O_NOFOLLOW, text);
  struct minas_text name = {0};
  int file = open_beside(path, &name);
  int result = file >= 0 ? finish(file, name.bytes, path, since, text) : -1;
  /* Somebody may have made the file for this, in a directory where nothing can be made. */
  if (file < 0 && errno == EACCES && S_ISREG(mode))
    result = write_into(path, O_NOFOLLOW | O_TRUNC, text);
  int error = errno;
  minas_text_free(&name);
  errno = error;
  return result;
}

int minas_replace_file(const char *path, const struct minas_text *text) {
  return replace(path, NULL, text);
}

int minas_replace_older_file(const char *path, const struct timespec *since,
                             const struct minas_text *text) {
  return replace(path, since, text);
}
