/*===-- execute.c - what a program starts gets our libraries where it takes them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For libraries that are loaded into a program in front of its own.  They stand in front of all
 * functions that execute another program.  These are called where hardly anything is allowed, in a
 * child of vfork(), in a handler of a signal or under a filter of system calls: what comes next is
 * looked up at the beginning, an environment that is not the program's lies on the stack, and no
 * system calls are made but those of any program's start.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "obstacle.h"
#include "runtime/system.h"
#include "search.h"

/* X(number, name) */
#define FUNCTIONS(X)                                                                               \
  X(0, execve)                                                                                     \
  X(1, execvpe)                                                                                    \
  X(2, fexecve)                                                                                    \
  X(3, execveat)                                                                                   \
  X(4, posix_spawn)                                                                                \
  X(5, posix_spawnp)

#define NUMBER(number, name) NUMBER_OF_##name = (number),
#define NAME(number, name) [number] = #name,
enum { FUNCTIONS(NUMBER) };
static const char *const names[] = {FUNCTIONS(NAME)};

static void *_Atomic next[sizeof names / sizeof *names];

static void *next_of(unsigned number) {
  void *found = atomic_load_explicit(&next[number], memory_order_relaxed);
  if (!found) {
    found = dlsym(RTLD_NEXT, names[number]);
    atomic_store_explicit(&next[number], found, memory_order_relaxed);
  }
  return found;
}

#define NEXT(name) ((__typeof__(&(name)))next_of(NUMBER_OF_##name))

/*===-- Where it is executed -----------------------------------------------===*/

static struct stat first_root;
static bool knows_root;

static bool find_root(struct stat *root) {
  return minas_system(SYS_newfstatat, AT_FDCWD, (long)"/", (long)root, 0, 0, 0) == 0;
}

/* Our libraries may be seen behind chroot(), or in a container, and not what they need. */
static bool is_in_other_root(void) {
  struct stat root;
  return knows_root && find_root(&root) &&
         (root.st_dev != first_root.st_dev || root.st_ino != first_root.st_ino);
}

__attribute__((constructor)) static void begin(void) {
  knows_root = find_root(&first_root);
  for (unsigned number = 0; number < sizeof names / sizeof *names; number++)
    next_of(number);
  loading_remove_sanitizer(environ);
}

/*===-- The environment of what is executed --------------------------------===*/

static const char *obstacle_at(int folder, const char *path) {
  return path && *path ? loading_obstacle(folder, path) : loading_obstacle_open(folder);
}

static bool find_obstacle(const char *path, void *obstacle) {
  int file = loading_open(AT_FDCWD, path);
  if (file < 0)
    return false;
  *(const char **)obstacle = loading_obstacle_open(file);
  minas_close(file);
  return true;
}

static const char *obstacle_of(const char *name) {
  const char *obstacle = NULL;
  loading_search(name, find_obstacle, &obstacle);
  return obstacle;
}

/* Has `environment` be one that suits the program, of which `obstacle` is asked where it matters.
 */
#define WITH_ENVIRONMENT(obstacle)                                                                 \
  int error = errno;                                                                               \
  struct loading_room room = {0, 0};                                                               \
  if (loading_has_ours(environment) &&                                                             \
      (is_in_other_root() || !loading_finds_ours(environment) || (obstacle)))                      \
    room = loading_room(environment);                                                              \
  char *entries[room.entries + 1], text[room.bytes + 1];                                           \
  if (room.entries) {                                                                              \
    loading_write_without_ours(environment, entries, text);                                        \
    environment = entries;                                                                         \
  }                                                                                                \
  errno = error

#define INTERPOSES __attribute__((visibility("default")))

INTERPOSES int execve(const char *path, char *const *arguments, char *const *environment) {
  WITH_ENVIRONMENT(loading_obstacle(AT_FDCWD, path));
  return NEXT(execve)(path, arguments, environment);
}

INTERPOSES int execvpe(const char *name, char *const *arguments, char *const *environment) {
  WITH_ENVIRONMENT(obstacle_of(name));
  return NEXT(execvpe)(name, arguments, environment);
}

INTERPOSES int fexecve(int file, char *const *arguments, char *const *environment) {
  WITH_ENVIRONMENT(loading_obstacle_open(file));
  return NEXT(fexecve)(file, arguments, environment);
}

INTERPOSES int execveat(int folder, const char *path, char *const *arguments,
                        char *const *environment, int flags) {
  WITH_ENVIRONMENT(obstacle_at(folder, path));
  return NEXT(execveat)(folder, path, arguments, environment, flags);
}

INTERPOSES int posix_spawn(pid_t *child, const char *path,
                           const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const *arguments,
                           char *const *environment) {
  WITH_ENVIRONMENT(loading_obstacle(AT_FDCWD, path));
  return NEXT(posix_spawn)(child, path, actions, attributes, arguments, environment);
}

INTERPOSES int posix_spawnp(pid_t *child, const char *name,
                            const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, char *const *arguments,
                            char *const *environment) {
  WITH_ENVIRONMENT(obstacle_of(name));
  return NEXT(posix_spawnp)(child, name, actions, attributes, arguments, environment);
}

INTERPOSES int execv(const char *path, char *const *arguments) {
  return execve(path, arguments, environ);
}

INTERPOSES int execvp(const char *name, char *const *arguments) {
  return execvpe(name, arguments, environ);
}

/*===-- Arguments one by one -----------------------------------------------===*/

static size_t count(const char *first, va_list *rest) {
  size_t arguments = 0;
  for (const char *each = first; each; each = va_arg(*rest, const char *))
    arguments++;
  return arguments;
}

/* With the NULL behind them. */
static void collect(const char *first, va_list *rest, char **arguments) {
  for (*arguments = (char *)(uintptr_t)first; *arguments; *arguments = va_arg(*rest, char *))
    arguments++;
}

/* Has `arguments` be those of the call. */
#define WITH_ARGUMENTS(first)                                                                      \
  va_list rest;                                                                                    \
  va_start(rest, first);                                                                           \
  char *arguments[count(first, &rest) + 1];                                                        \
  va_end(rest);                                                                                    \
  va_start(rest, first);                                                                           \
  collect(first, &rest, arguments);

INTERPOSES int execl(const char *path, const char *first, ...) {
  WITH_ARGUMENTS(first)
  va_end(rest);
  return execve(path, arguments, environ);
}

INTERPOSES int execlp(const char *name, const char *first, ...) {
  WITH_ARGUMENTS(first)
  va_end(rest);
  return execvpe(name, arguments, environ);
}

INTERPOSES int execle(const char *path, const char *first, ...) {
  WITH_ARGUMENTS(first)
  char *const *environment = va_arg(rest, char *const *);
  va_end(rest);
  return execve(path, arguments, environment);
}
