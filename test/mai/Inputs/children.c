/*===-- children.c - shows on which CPUs a pinned thread's programs may run *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: children STEP...
   Steps are done in order, each after a region that pins the first thread: "spawn", "spawnp", "system",
   "popen", "vfork" and "exec" have this program print its CPUs after the step's name, in one of these
   ways; "dlopen" prints those of the first thread after it has loaded a library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_CPUS = 64 };

static const char *program;

static void print_mask(const char *step) {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    abort();
  printf("%s:", step);
  for (int cpu = 0; cpu < MOST_CPUS; cpu++)
    if (CPU_ISSET(cpu, &mask))
      printf(" %d", cpu);
  printf("\n");
  fflush(stdout);
}

static int is_pinned(void) {
  cpu_set_t mask;
#pragma omp parallel num_threads(2)
  __asm__ volatile("" ::: "memory");
  return sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) == 1;
}

static void spawn(const char *step,
                  int (*function)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                                  const posix_spawnattr_t *, char *const *, char *const *)) {
  char *arguments[] = {(char *)program, "print", (char *)step, NULL};
  pid_t child;
  if (function(&child, program, NULL, NULL, arguments, environ) == 0)
    waitpid(child, NULL, 0);
}

static void run_shell(const char *step, int by_popen) {
  char command[4096];
  snprintf(command, sizeof command, "'%s' print %s", program, step);
  FILE *stream = by_popen ? popen(command, "r") : NULL;
  if (!by_popen && system(command) != 0)
    abort();
  for (int c; stream && (c = getc(stream)) != EOF;)
    putchar(c);
  if (stream)
    pclose(stream);
}

static void run_vfork(const char *step) {
  pid_t child = vfork();
  if (child == 0) {
    execl(program, program, "print", step, (char *)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
}

static void do_step(const char *step) {
  if (!is_pinned())
    printf("not pinned before %s\n", step);
  if (strcmp(step, "spawn") == 0)
    spawn(step, posix_spawn);
  else if (strcmp(step, "spawnp") == 0)
    spawn(step, posix_spawnp);
  else if (strcmp(step, "system") == 0)
    run_shell(step, 0);
  else if (strcmp(step, "popen") == 0)
    run_shell(step, 1);
  else if (strcmp(step, "vfork") == 0)
    run_vfork(step);
  else if (strcmp(step, "exec") == 0)
    execl(program, program, "print", step, (char *)NULL);
  else if (strcmp(step, "dlopen") == 0 && dlopen("libm.so.6", RTLD_NOW))
    print_mask(step);
  else
    exit(2);
}

int main(int argc, char **argv) {
  program = argv[0];
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc == 3 && strcmp(argv[1], "print") == 0) {
    print_mask(argv[2]);
    return 0;
  }
  for (int i = 1; i < argc; i++)
    do_step(argv[i]);
  return 0;
}
