/*===-- children.c - shows on which CPUs a pinned thread's programs may run *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: children STEP...
   Steps are done in order, each after a region that pins the first thread: "spawn", "spawnp", "system",
   "popen", "vfork", "fork", "exec" and "execveat" have this program print its CPUs after the step's name, in one of these
   ways; "_Fork" and "clone" print those of a child that goes on, "thread" and "worker" those of a thread that the first
   and the second thread of a team make within its region, "worker-system" does as "system" in the latter, and "dlopen" prints those
   of the first thread after it has loaded a library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
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

static void wait_for(pid_t child) {
  if (child < 0 || waitpid(child, NULL, __WALL) != child)
    abort();
}

static void run_fork(const char *step) {
  pid_t child = fork();
  if (child == 0) {
    execl(program, program, "print", step, (char *)NULL);
    _exit(127);
  }
  wait_for(child);
}

static void run_raw_fork(const char *step) {
  pid_t child = _Fork();
  if (child == 0) {
    print_mask(step);
    _exit(0);
  }
  wait_for(child);
}

static int print_in_clone(void *step) {
  print_mask(step);
  return 0;
}

static void run_clone(const char *step) {
  static _Alignas(16) char stack[1 << 16];
  wait_for(clone(print_in_clone, stack + sizeof stack, SIGCHLD, (void *)step));
}

static void run_execveat(const char *step) {
  char *arguments[] = {(char *)program, "print", (char *)step, NULL};
  execveat(AT_FDCWD, program, arguments, environ, 0);
}

static void *print_in_thread(void *step) {
  print_mask(step);
  return NULL;
}

static void make_thread(const char *step) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, print_in_thread, (void *)step) != 0 ||
      pthread_join(thread, NULL) != 0)
    abort();
}

static void run_in_region(const char *step, int number, void (*function)(const char *step)) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == number)
    function(step);
}

static void run_system(const char *step) { run_shell(step, 0); }

static int do_later_step(const char *step) {
  if (strcmp(step, "fork") == 0)
    run_fork(step);
  else if (strcmp(step, "_Fork") == 0)
    run_raw_fork(step);
  else if (strcmp(step, "clone") == 0)
    run_clone(step);
  else if (strcmp(step, "execveat") == 0)
    run_execveat(step);
  else if (strcmp(step, "thread") == 0)
    run_in_region(step, 0, make_thread);
  else if (strcmp(step, "worker") == 0)
    run_in_region(step, 1, make_thread);
  else if (strcmp(step, "worker-system") == 0)
    run_in_region(step, 1, run_system);
  else
    return 0;
  return 1;
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
  else if (do_later_step(step))
    return;
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
