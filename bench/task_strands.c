/*===-- task_strands.c - what a program's tasks are, and how long --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For bench/task-bound: preloaded, it runs a program of gcc's with one thread, each task where it
 * is made, and writes to the file that STRANDS names, a word a line, what happens: the nanoseconds
 * of what is run between, "task" and "end" around a task, "wait", and "region" and "close" around a
 * parallel region.
 */
#include <alloca.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static FILE *strands;
static int64_t since;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static FILE *open_file(void) {
  const char *name = getenv("STRANDS");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (file)
    return file;
  fputs("task_strands: STRANDS names no file that can be written\n", stderr);
  exit(2);
}

static void tell(const char *word) {
  int64_t here = now();
  if (!strands)
    strands = open_file();
  if (since)
    fprintf(strands, "%lld\n", (long long)(here - since));
  fprintf(strands, "%s\n", word);
  since = now();
}

__attribute__((destructor)) static void finish(void) {
  if (strands)
    fclose(strands);
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {
  (void)threads;
  (void)flags;
  tell("region");
  body(data);
  tell("close");
}

bool GOMP_single_start(void);
bool GOMP_single_start(void) { return true; }

void GOMP_barrier(void);
void GOMP_barrier(void) {}

void GOMP_taskwait(void);
void GOMP_taskwait(void) { tell("wait"); }

void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
               long alignment, bool if_clause, unsigned flags, void **depend, int priority,
               void *detach);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
               long alignment, bool if_clause, unsigned flags, void **depend, int priority,
               void *detach) {
  char *arguments = alloca((size_t)(size + alignment));
  arguments += -(uintptr_t)arguments & (uintptr_t)(alignment - 1);
  (void)if_clause;
  (void)flags;
  (void)depend;
  (void)priority;
  (void)detach;
  if (copy)
    copy(arguments, data);
  else
    memcpy(arguments, data, (size_t)size);
  tell("task");
  body(arguments);
  tell("end");
}
