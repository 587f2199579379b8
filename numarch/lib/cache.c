/*===-- cache.c - finds and reads the file of what was measured --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs read it when they start: one open() where there is no folder, and no wait for a pipe
 * that somebody put there.  It is believed where nobody but the user can have written it: the
 * folder is the user's, and private, and neither it nor the file is a link.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measurement.h"
#include "runtime/cache_folder.h"
#include "runtime/folder.h"

char *numarch_measurement_path(const char *identity) {
  char folder[PATH_MAX];
  if (minas_cache_folder(folder) != 0)
    return NULL;
  size_t size = strlen(folder) + strlen("/numarch-.json") + strlen(identity) + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/numarch-%s.json", folder, identity);
  return path;
}

static bool is_measurement(const char *name) {
  return strncmp(name, "numarch-", strlen("numarch-")) == 0;
}

bool numarch_was_measured(void) {
  char path[PATH_MAX];
  int found = minas_cache_folder(path) == 0 ? minas_folder_has(path, is_measurement) : -1;
  return found == 1 || (found < 0 && errno != ENOENT && errno != ENOTDIR);
}

/* What is wrong with a file before it is read; NULL: nothing. */
static const char *distrust(const struct stat *status) {
  if (!S_ISREG(status->st_mode))
    return "it is no regular file";
  if ((status->st_uid != geteuid() && status->st_uid != 0) || (status->st_mode & S_IWOTH))
    return "another user may have written it";
  if (status->st_size > NUMARCH_MEASUREMENT_BYTES)
    return "it is too big";
  return NULL;
}

/* The same of the folder. */
static const char *distrust_folder(const struct stat *status) {
  return minas_cache_is_private(status) ? NULL : "its folder is not this user's alone (mode 0700)";
}

/* Open the folder of a file. @return its number; or -1, with `reason` or errno */
static int open_folder(const char *path, const char **reason) {
  struct stat status;
  char *name = strndup(path, (size_t)(strrchr(path, '/') - path));
  int folder = name ? open(name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  int error = errno;
  /* A link is no directory, says the kernel. */
  *reason = folder < 0 && name && lstat(name, &status) == 0 && S_ISLNK(status.st_mode)
                ? "its folder is a link"
                : NULL;
  free(name);
  errno = error;
  if (folder >= 0)
    *reason = fstat(folder, &status) == 0 ? distrust_folder(&status) : strerror(errno);
  if (folder < 0 || !*reason)
    return folder;
  close(folder);
  return -1;
}

/* @return its number; or -1, with `reason` or errno */
static int open_in_private(const char *path, const char **reason) {
  int folder = open_folder(path, reason);
  if (folder < 0)
    return -1;
  int file = openat(folder, strrchr(path, '/') + 1,
                    O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  int error = errno;
  close(folder);
  errno = error;
  return file;
}

/* @return the bytes read, less than `size` at the end of the file; or -1 with errno */
static ssize_t read_all(int file, char *text, size_t size) {
  size_t length = 0;
  while (length < size) {
    ssize_t bytes = read(file, text + length, size - length);
    if (bytes < 0 && errno == EINTR)
      continue;
    if (bytes <= 0)
      return bytes < 0 ? -1 : (ssize_t)length;
    length += (size_t)bytes;
  }
  return (ssize_t)length;
}

static int read_and_parse(int file, size_t size, const char *identity,
                          struct numarch_measurement *measurement, char **problem) {
  char *text = malloc(size + 1);
  ssize_t length = text ? read_all(file, text, size) : -1;
  int result = -1;
  if (length < 0)
    *problem = strdup(strerror(errno));
  else
    result = numarch_measurement_parse(text, (size_t)length, identity, measurement, problem);
  free(text);
  return result;
}

static int read_file(int file, const char *identity, struct numarch_measurement *measurement,
                     char **problem) {
  struct stat status;
  const char *reason = fstat(file, &status) == 0 ? distrust(&status) : strerror(errno);
  if (!reason)
    return read_and_parse(file, (size_t)status.st_size, identity, measurement, problem);
  *problem = strdup(reason);
  return -1;
}

/* `reason` with the file before it and what follows from it behind. */
static char *name_problem(const char *path, char *reason) {
  char *problem = NULL;
  if (asprintf(&problem, "%s: not used: %s; 'numarch --measure' writes it anew", path,
               reason ? reason : "out of memory") < 0)
    problem = NULL;
  free(reason);
  return problem;
}

int numarch_measurement_read(const char *path, const char *identity,
                             struct numarch_measurement *measurement, char **problem) {
  *measurement = (struct numarch_measurement){0};
  *problem = NULL;
  const char *distrusted = NULL;
  int file = open_in_private(path, &distrusted);
  /* Other things may be kept in a folder that is not private. */
  if (distrusted && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
    distrusted = NULL;
  if (file < 0 && !distrusted && (errno == ENOENT || errno == ENOTDIR)) {
    errno = ENOENT;
    return -1;
  }
  int result = -1;
  char *reason = NULL;
  if (file < 0)
    reason = strdup(distrusted ? distrusted : strerror(errno));
  else
    result = read_file(file, identity, measurement, &reason);
  if (file >= 0)
    close(file);
  if (result != 0)
    *problem = name_problem(path, reason);
  errno = 0;
  return result;
}

int numarch_build_measured(struct numarch_details *details, const struct numarch *machine,
                           hwloc_topology_t topology) {
  char identity[NUMARCH_IDENTITY_SIZE];
  if (!machine->is_this_system)
    return 0;
  if (numarch_machine_identity(topology, identity) != 0)
    return -1;
  char *path = numarch_measurement_path(identity);
  if (!path)
    return errno == ENOENT ? 0 : -1;
  details->measurement_path = path;
  struct numarch_measurement measurement;
  int result = 0;
  if (numarch_measurement_read(path, identity, &measurement, &details->measurement_problem) == 0)
    result = numarch_measurement_use(details, machine, &measurement);
  numarch_measurement_free(&measurement);
  return result;
}
