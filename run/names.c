/*===-- names.c - has a program's names read --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "names.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "names/layout/layout.h"
#include "runtime/cache_folder.h"

/*===-- Where they are kept ------------------------------------------------===*/

/* Make the folders that are not there, the last one for the user alone. */
static void make_folder(const char *path) {
  char parent[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", path);
  char *slash = strrchr(parent, '/');
  if (mkdir(path, 0700) == 0 || errno != ENOENT || slash == parent)
    return;
  *slash = '\0';
  mkdir(parent, 0700);
  mkdir(path, 0700);
}

/* Makes it for the user alone.
   @return whether it is there; `private_` receives whether nobody else may use it */
static bool has_folder(const char *folder, bool *private_) {
  struct stat status;
  make_folder(folder);
  if (lstat(folder, &status) != 0)
    return false;
  *private_ = minas_cache_is_private(&status);
  return true;
}

/* The user's cache; without a home, as in containers and services, a folder beside what is
   temporary. */
static bool find_folder(char folder[PATH_MAX], bool *private_) {
  if (minas_cache_folder(folder) == 0 && has_folder(folder, private_))
    return true;
  const char *temporary = getenv("TMPDIR");
  int length = snprintf(folder, PATH_MAX, "%s/minas-%ju",
                        temporary && *temporary == '/' ? temporary : "/tmp", (uintmax_t)geteuid());
  return length > 0 && length < PATH_MAX && has_folder(folder, private_);
}

/* In a folder of their own: numArch looks through what else is kept at each start. */
static bool find_folder_of_tables(char folder[PATH_MAX], bool *private_) {
  bool found = find_folder(folder, private_);
  if (!found || !*private_)
    return found;
  size_t length = strlen(folder);
  int added = snprintf(folder + length, PATH_MAX - length, "/names");
  return added > 0 && (size_t)added < PATH_MAX - length && has_folder(folder, private_);
}

/* Linkers need not give ids: then a file is known by where it lies, and by when it was written. */
static bool find_key(const struct program *program, char *key, size_t size) {
  struct stat status;
  int length = snprintf(key, size, "%s", program->id);
  if (length > 0)
    return true;
  if (stat(program->file, &status) != 0)
    return false;
  snprintf(key, size, "%jx-%jx-%jx-%jx.%lx", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
           (uintmax_t)status.st_size, (uintmax_t)status.st_mtim.tv_sec,
           (unsigned long)status.st_mtim.tv_nsec);
  return true;
}

/* @return what stands in the way, or NULL */
static const char *find_path(const struct program *program, char path[PATH_MAX]) {
  char folder[PATH_MAX];
  char key[PROGRAM_ID];
  bool private_ = false;
  if (!find_folder_of_tables(folder, &private_) || !find_key(program, key, sizeof key))
    return "no folder can be made to keep its names in (XDG_CACHE_HOME)";
  int length = snprintf(path, PATH_MAX, "%s/names%d-%s", folder, MINAS_NAMES_VERSION, key);
  if (!private_ || length < 0 || length >= PATH_MAX)
    return "its debug information is not read: what is found there is kept in "
           "~/.cache/minas (or $XDG_CACHE_HOME/minas), which others may read or write; "
           "chmod 700 helps";
  return NULL;
}

/*===-- What nobody uses any more -------------------------------------------===*/

/* Programs are built anew, and their tables stay: those that no run has asked for in so long. */
enum { KEPT_DAYS = 90, SECONDS_OF_DAY = 86400 };

static bool is_table(const char *name) {
  return strncmp(name, "names", 5) == 0 && isdigit((unsigned char)name[5]) && strchr(name, '-');
}

static bool is_stale(int folder, const char *name) {
  struct stat status;
  return is_table(name) && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(status.st_mode) &&
         status.st_mtime < time(NULL) - (time_t)KEPT_DAYS * SECONDS_OF_DAY;
}

/* Of the folder that a table lies in. */
static void remove_stale(const char *table) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", table);
  *strrchr(path, '/') = '\0';
  DIR *folder = opendir(path);
  int number = folder ? dirfd(folder) : -1;
  struct dirent *entry;
  while (number >= 0 && (entry = readdir(folder)))
    if (is_stale(number, entry->d_name))
      unlinkat(number, entry->d_name, 0);
  if (folder)
    closedir(folder);
}

/* @return whether it is there */
static bool note_use(const char *table) { return utimensat(AT_FDCWD, table, NULL, 0) == 0; }

/*===-- Making them --------------------------------------------------------===*/

/* It lies beside mai-run. */
static bool find_tool(char path[PATH_MAX]) {
  static const char name[] = "mai-names";
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
  if (length <= 0)
    return false;
  path[length] = '\0';
  memcpy(strrchr(path, '/') + 1, name, sizeof name);
  return access(path, X_OK) == 0;
}

static bool make(const char *program, char *tool, char *path) {
  char option[] = "-o";
  int status;
  pid_t process;
  char *arguments[] = {tool, option, path, (char *)(uintptr_t)program, NULL};
  if (posix_spawn(&process, tool, NULL, NULL, arguments, environ) != 0)
    return false;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *names_table(const struct program *program, char path[PATH_MAX]) {
  if (!program->has_debug_information)
    return "";
  char tool[PATH_MAX];
  const char *problem = find_path(program, path);
  if (problem || note_use(path) || access(path, R_OK) == 0)
    return problem;
  if (!find_tool(tool))
    return "its debug information is not read: mai-names, which does that, is not beside mai-run";
  if (!make(program->file, tool, path))
    return "";
  remove_stale(path);
  return NULL;
}
