/*===-- libraries.c - which libraries a program is going to load -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "libraries.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The dynamic linker lists what it would load, and says nothing else. */
static bool start_linker(const struct program *program, int output, pid_t *process) {
  posix_spawn_file_actions_t actions;
  char option[] = "--list";
  char *arguments[] = {(char *)(uintptr_t)program->linker, option, (char *)(uintptr_t)program->file,
                       NULL};
  if (posix_spawn_file_actions_init(&actions) != 0)
    return false;
  bool started =
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0 &&
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
      posix_spawn(process, program->linker, &actions, NULL, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return started;
}

static void wait_for(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
}

/* The file in a line such as "\tlibm.so.6 => /lib/libm.so.6 (0x00007f0000000000)"; NULL: there is
   none. */
static char *file_of(char *line) {
  static const char arrow[] = " => ";
  char *file = strstr(line, arrow);
  char *end = strrchr(line, '(');
  if (!file || !end || end <= file + sizeof arrow)
    return NULL;
  end[-1] = '\0';
  file += sizeof arrow - 1;
  return *file == '/' ? file : NULL;
}

static void read_list(FILE *list, void (*use)(const char *file, void *context), void *context) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, list) > 0) {
    const char *file = file_of(line);
    if (file)
      use(file, context);
  }
  free(line);
}

void libraries_visit(const struct program *program, void (*use)(const char *file, void *context),
                     void *context) {
  int ends[2];
  pid_t process;
  if (program->kind != BINARY_DYNAMIC || pipe2(ends, O_CLOEXEC) != 0)
    return;
  bool started = start_linker(program, ends[1], &process);
  close(ends[1]);
  FILE *list = started ? fdopen(ends[0], "r") : NULL;
  if (list)
    read_list(list, use, context);
  if (list)
    fclose(list);
  else
    close(ends[0]);
  if (started)
    wait_for(process);
}
