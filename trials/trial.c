/*===-- trial.c - a timed run of a program ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double in_seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static _Noreturn void become(char *const *command) {
  int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0)
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
      dup2(nothing, file);
  execvp(*command, command);
  _exit(NOT_FOUND);
}

/* The first looks follow each other fast, for short programs. */
static void look_while_it_runs(pid_t process, const numarch_t *machine, struct look *look,
                               int *status, struct rusage *used) {
  enum { FIRST_PAUSE = 5000000, LONGEST_PAUSE = 160000000 };
  struct timespec pause = {.tv_nsec = FIRST_PAUSE};
  while (wait4(process, status, look ? WNOHANG : 0, used) == 0) {
    look_at(look, machine, process);
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < LONGEST_PAUSE)
      pause.tv_nsec += pause.tv_nsec / 2;
  }
}

int trial_run(const struct command *command, const numarch_t *machine, struct look *look,
              struct trial *trial) {
  if (!command_is_whole(command)) {
    errno = E2BIG;
    return -1;
  }
  double begin = now();
  pid_t process = fork();
  if (process < 0)
    return -1;
  if (process == 0)
    become(command->words);
  struct rusage used = {0};
  look_while_it_runs(process, machine, look, &trial->status, &used);
  trial->seconds = now() - begin;
  trial->processor_seconds = in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
  return 0;
}
