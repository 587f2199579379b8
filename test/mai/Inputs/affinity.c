/*===-- affinity.c - shows on which CPUs threads may run ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Usage: affinity STEP...
   Steps are done in order; each prints a line "step: CPUs ...", with the CPUs of thread 0, 1, ...
   as "3" or "0,1"; "!" follows where a thread runs on another CPU than it may.
     N           a parallel region of N threads
     AxB         the same of A threads, and in each a region of B; one line for each inner team
     set:N       a region without a clause, after omp_set_num_threads(N)
     spread:N    a region of N threads with proc_bind(spread); master:N the same with proc_bind(master)
     serial:N    a region of one thread, and in it a region of N
     loops       worksharing loops of two threads with each schedule, a line each
     sections    a region of two sections
     reduction:N a region of N threads with a reduction over tasks
     dynamic     a region whose size the run-time chooses; prints the size only
     pthread     a thread made by pthread_create(); thrd: by thrd_create()
     root:N      a thread of the program's own that opens a region of N threads
     fork        a process made by fork()
     procs       prints omp_get_num_procs() */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

static char seen[MOST_THREADS][MOST_THREADS][256];
static atomic_int arrived;

static void look(char *text) {
  cpu_set_t mask;
  int cpu = sched_getcpu();
  text[0] = '\0';
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    abort();
  for (int i = 0; i < MOST_THREADS; i++)
    if (CPU_ISSET(i, &mask))
      sprintf(text + strlen(text), "%s%d", *text ? "," : "", i);
  if (!CPU_ISSET(cpu, &mask))
    strcat(text, "!");
}

static void print(const char *step, char (*team)[256], int size) {
  printf("%s:", step);
  for (int i = 0; i < size; i++)
    printf(" %s", team[i]);
  printf("\n");
  fflush(stdout);
}

static void look_in_team(void) { look(seen[0][omp_get_thread_num()]); }

static void team(const char *step, int size) {
#pragma omp parallel num_threads(size)
  look_in_team();
  print(step, seen[0], size);
}

static void set_size(const char *step, int size) {
  omp_set_num_threads(size);
#pragma omp parallel
  look_in_team();
  print(step, seen[0], size);
}

static void spread(const char *step, int size) {
#pragma omp parallel num_threads(size) proc_bind(spread)
  look_in_team();
  print(step, seen[0], size);
}

static void with_master(const char *step, int size) {
#pragma omp parallel num_threads(size) proc_bind(master)
  look_in_team();
  print(step, seen[0], size);
}

static void nested(int outer, int inner) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
  {
    int number = omp_get_thread_num();
#pragma omp parallel num_threads(inner)
    look(seen[number][omp_get_thread_num()]);
  }
  for (int i = 0; i < outer; i++)
    print("inner", seen[i], inner);
}

static void nested_in_serial(int size) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(size)
  look_in_team();
  print("serial", seen[0], size);
}

/* Every thread gets one iteration: none goes on before all have one. */
static void meet(int size) {
  look_in_team();
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) % size != 0)
    sched_yield();
}

#define LOOP(...)                                                                                  \
  do {                                                                                             \
    _Pragma(#__VA_ARGS__) for (int i = 0; i < 2; i++) meet(2);                                     \
    print(#__VA_ARGS__, seen[0], 2);                                                               \
  } while (0)

/* gcc has a function of libgomp for each of these only if it knows the bounds. */
static void loops(void) {
  omp_set_num_threads(2);
  LOOP(omp parallel for schedule(static));
  LOOP(omp parallel for schedule(static) ordered);
  LOOP(omp parallel for schedule(nonmonotonic : dynamic));
  LOOP(omp parallel for schedule(monotonic : dynamic));
  LOOP(omp parallel for schedule(nonmonotonic : guided));
  LOOP(omp parallel for schedule(monotonic : guided));
  LOOP(omp parallel for schedule(runtime));
  LOOP(omp parallel for schedule(nonmonotonic : runtime));
  LOOP(omp parallel for schedule(monotonic : runtime));
}

static void sections(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    meet(2);
#pragma omp section
    meet(2);
  }
  print("sections", seen[0], 2);
}

static void reduction(int size) {
  int sum = 0;
#pragma omp parallel num_threads(size) reduction(task, + : sum)
  {
    look_in_team();
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  print(sum == size ? "reduction" : "wrong reduction", seen[0], size);
}

static void dynamic(void) {
  int size = 0;
  omp_set_dynamic(1);
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  omp_set_dynamic(0);
  printf("dynamic: %d\n", size);
}

static void *look_in_pthread(void *text) {
  look(text);
  return NULL;
}

static int look_in_thrd(void *text) {
  look(text);
  return 0;
}

static void *open_region(void *size) {
  team("root", *(int *)size);
  return NULL;
}

static void run_pthread(void *(*start)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, start, argument) != 0 || pthread_join(thread, NULL) != 0)
    abort();
}

static void run_thrd(void) {
  thrd_t thread;
  if (thrd_create(&thread, look_in_thrd, seen[0][0]) != thrd_success ||
      thrd_join(thread, NULL) != thrd_success)
    abort();
}

static void look_in_child(void) {
  pid_t child = fork();
  if (child == 0) {
    look(seen[0][0]);
    print("fork", seen[0], 1);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

static void do_step(const char *step) {
  int first, second;
  if (sscanf(step, "serial:%d", &first) == 1)
    nested_in_serial(first);
  else if (sscanf(step, "set:%d", &first) == 1)
    set_size(step, first);
  else if (sscanf(step, "spread:%d", &first) == 1)
    spread(step, first);
  else if (sscanf(step, "master:%d", &first) == 1)
    with_master(step, first);
  else if (sscanf(step, "reduction:%d", &first) == 1)
    reduction(first);
  else if (sscanf(step, "root:%d", &first) == 1)
    run_pthread(open_region, &first);
  else if (sscanf(step, "%dx%d", &first, &second) == 2)
    nested(first, second);
  else if (sscanf(step, "%d", &first) == 1)
    team(step, first);
  else if (strcmp(step, "loops") == 0)
    loops();
  else if (strcmp(step, "sections") == 0)
    sections();
  else if (strcmp(step, "dynamic") == 0)
    dynamic();
  else if (strcmp(step, "fork") == 0)
    look_in_child();
  else if (strcmp(step, "procs") == 0)
    printf("procs: %d\n", omp_get_num_procs());
  else if (strcmp(step, "pthread") == 0)
    run_pthread(look_in_pthread, seen[0][0]), print(step, seen[0], 1);
  else if (strcmp(step, "thrd") == 0)
    run_thrd(), print(step, seen[0], 1);
  else
    exit(2);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    do_step(argv[i]);
  return 0;
}
