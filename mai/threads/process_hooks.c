/*===-- process_hooks.c - what a pinned thread makes is not pinned *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A new thread or process inherits the mask of the thread that makes it, and so does a program that
 * is executed: from a pinned thread, a single CPU.  So a thread has the process's mask while it
 * makes another, and a child of fork() begins by taking it.  Where a function cannot be waited for,
 * the thread keeps that mask until its next region: vfork() returns twice, exec() never, the child
 * of clone() has another stack, that of _Fork() runs no handlers, and dlopen() has to be called by
 * the program itself.  It counts, too, because libraries count the CPUs of the thread that loads
 * them: libgomp, OpenBLAS, TBB.
 *
 * Some of these functions are called where hardly anything is allowed, in a child of vfork() or in
 * a signal handler: what comes next is looked up at the beginning, and the rest is system calls.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

#include "binding.h"
#include "created.h"
#include "jump.h"
#include "mai/process/affinity.h"
#include "mai/process/interpose.h"
#include "new_threads.h"
#include "runtime/lock.h"
#include "team_cache.h"

/* X(number, name) */
#define WAITED_FOR(X)                                                                              \
  X(0, pthread_create)                                                                             \
  X(1, thrd_create)                                                                                \
  X(2, posix_spawn)                                                                                \
  X(3, posix_spawnp)                                                                               \
  X(4, popen)                                                                                      \
  X(5, system)                                                                                     \
  X(6, dlclose)
#define JUMPED_TO(X)                                                                               \
  X(7, vfork)                                                                                      \
  X(8, execl)                                                                                      \
  X(9, execle)                                                                                     \
  X(10, execlp)                                                                                    \
  X(11, execv)                                                                                     \
  X(12, execve)                                                                                    \
  X(13, execvp)                                                                                    \
  X(14, execvpe)                                                                                   \
  X(15, fexecve)                                                                                   \
  X(16, dlopen)                                                                                    \
  X(17, dlmopen)                                                                                   \
  X(18, _Fork)                                                                                     \
  X(19, clone)                                                                                     \
  X(20, execveat)

#define NUMBER(number, name) NUMBER_OF_##name = (number),
#define NAME(number, name) [number] = #name,
enum { WAITED_FOR(NUMBER) JUMPED_TO(NUMBER) };
static const char *const names[] = {WAITED_FOR(NAME) JUMPED_TO(NAME)};

static void *_Atomic next[sizeof names / sizeof *names];

static void *next_of(unsigned number) { return mai_interpose_next(&next[number], names[number]); }

#define NEXT(name) ((__typeof__(&(name)))next_of(NUMBER_OF_##name))

__attribute__((constructor)) static void find_next(void) {
  for (unsigned number = 0; number < sizeof names / sizeof *names; number++)
    next_of(number);
}

/*===-- Threads and processes ----------------------------------------------===*/

/* Do it with the process's mask. */
#define WIDENED(type, call)                                                                        \
  struct mai_binding_before before = mai_binding_release();                                        \
  MINAS_CALLS_OUT();                                                                               \
  type result = call;                                                                              \
  mai_binding_return(&before);                                                                     \
  return result

MAI_INTERPOSES int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                  void *(*start)(void *), void *argument) {
  struct mai_created created = {start, argument};
  mai_team_cache_thread_made();
  mai_created_see_stack(attributes);
  mai_created_prepare(&created, __builtin_extract_return_addr(__builtin_return_address(0)));
  struct mai_binding_before before = {.narrowed = false};
  if (!mai_new_thread_prepare(&created))
    before = mai_binding_release();
  MINAS_CALLS_OUT();
  int error = NEXT(pthread_create)(thread, attributes, created.start, created.argument);
  mai_binding_return(&before);
  if (error)
    mai_created_cancel(&created);
  return error;
}

MAI_INTERPOSES int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  mai_team_cache_thread_made();
  WIDENED(int, NEXT(thrd_create)(thread, start, argument));
}

MAI_INTERPOSES int posix_spawn(pid_t *child, const char *path,
                               const posix_spawn_file_actions_t *actions,
                               const posix_spawnattr_t *attributes, char *const *arguments,
                               char *const *environment) {
  WIDENED(int, NEXT(posix_spawn)(child, path, actions, attributes, arguments, environment));
}

MAI_INTERPOSES int posix_spawnp(pid_t *child, const char *file,
                                const posix_spawn_file_actions_t *actions,
                                const posix_spawnattr_t *attributes, char *const *arguments,
                                char *const *environment) {
  WIDENED(int, NEXT(posix_spawnp)(child, file, actions, attributes, arguments, environment));
}

MAI_INTERPOSES FILE *popen(const char *command, const char *modes) {
  WIDENED(FILE *, NEXT(popen)(command, modes));
}

MAI_INTERPOSES int system(const char *command) { WIDENED(int, NEXT(system)(command)); }

/* What was found out of the library may be true of it no more, and is to be found out anew. */
MAI_INTERPOSES int dlclose(void *library) {
  atomic_fetch_add(&mai_unloads, 1);
  int result = NEXT(dlclose)(library);
  atomic_fetch_add(&mai_unloads, 1);
  return result;
}

#if MAI_HAS_JUMPS

void *mai_process_widen(struct mai_jump *call, unsigned number, const void *caller);
void *mai_process_widen(struct mai_jump *call, unsigned number, const void *caller) {
  (void)call;
  (void)caller;
  int error = errno;
  if (mai_binding_narrowed()) {
    mai_binding_release();
    mai_team_cache_clear();
  }
  errno = error;
  return next_of(number);
}

#define JUMP(number, name) MAI_JUMP(number, #name, "mai_process_widen");
JUMPED_TO(JUMP)

#endif
