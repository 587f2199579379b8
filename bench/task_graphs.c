/*===-- task_graphs.c - how long graphs of tasks that sleep take -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * task_graphs halves|maker|loops POLICY: the time of each of four rounds of 256 tasks, divided by
 * that of all threads together. Each task's data is in an array of that policy.
 */
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TASKS = 256, BYTES = 16 << 10, LOOPS = 16, ROUNDS = 4, NANOSECONDS = 2000000 };

static char *data;

static void work(char *part) {
  nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS}, NULL);
  (*part)++;
}

static void halve(char *part, int tasks) {
  if (tasks == 1) {
    work(part);
    return;
  }
#pragma omp task
  halve(part, tasks / 2);
#pragma omp task
  halve(part + (size_t)(tasks / 2) * BYTES, tasks / 2);
#pragma omp taskwait
}

static void make_all(void) {
  for (int task = 0; task < TASKS; task++) {
    char *part = data + (size_t)task * BYTES;
#pragma omp task firstprivate(part)
    work(part);
  }
}

static void run_loop(int loop) {
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < TASKS / LOOPS; i++)
    work(data + (size_t)(loop * (TASKS / LOOPS) + i) * BYTES);
}

static void run_loops(void) {
  for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp task firstprivate(loop)
    run_loop(loop);
  }
}

static void run(const char *graph) {
#pragma omp parallel
#pragma omp single
  if (strcmp(graph, "halves") == 0)
    halve(data, TASKS);
  else if (strcmp(graph, "maker") == 0)
    make_all();
  else
    run_loops();
}

int main(int count, char **words) {
  if (count != 3 || !(data = mai_alloc(TASKS, BYTES, words[2], "data")))
    return 2;
  for (int round = 0; round < ROUNDS; round++) {
    double begin = omp_get_wtime();
    run(words[1]);
    printf("%.2f\n",
           (omp_get_wtime() - begin) * 1e9 * omp_get_max_threads() / ((double)TASKS * NANOSECONDS));
  }
  mai_free(data);
  return 0;
}
