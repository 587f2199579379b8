/*===-- calls.h - what tests of single calls share -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "pages.h"

enum { PAGE = 4096 };

static int wrong __attribute__((unused)); /* not every program checks */

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      wrong += printf("%s:%d: not so: %s (errno %s)\n", __FILE__, __LINE__, #condition,            \
                      strerrorname_np(errno)) > 0;                                                 \
  } while (0)

/* The call fails with this errno. */
#define CHECK_FAILS(call, error)                                                                   \
  do {                                                                                             \
    errno = 0;                                                                                     \
    int failed = (call) == -1;                                                                     \
    if (!failed || errno != (error))                                                               \
      wrong += printf("%s:%d: not so: %s fails with %s, but: %s\n", __FILE__, __LINE__, #call,     \
                      strerrorname_np(error), failed ? strerrorname_np(errno) : "works") > 0;      \
  } while (0)

/* A byte that says where it belongs. */
static inline char byte_at(size_t offset) { return (char)(offset * 31 + offset / PAGE * 7 + 1); }

static inline void fill(char *array, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    array[i] = byte_at(i);
}

/* Whether bytes [from, to) are what fill() wrote, all. */
static inline int is_filled(const char *array, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (array[i] != byte_at(i))
      return 0;
  return 1;
}

static inline int is_zero(const char *array, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (array[i])
      return 0;
  return 1;
}

/* How many pages of those that lie wholly in the array are not where MAi means them. */
static inline size_t misplaced(const char *array, size_t bytes) {
  size_t count = 0;
  for (uintptr_t page = ((uintptr_t)array + PAGE - 1) / PAGE * PAGE;
       page + PAGE <= (uintptr_t)array + bytes; page += PAGE) {
    int meant = mai_node_meant((void *)page);
    count += meant >= 0 && node_of_page((void *)page) != meant;
  }
  return count;
}

/* How many pages that the bytes [from, to) of the array reach into are on this node. */
static inline size_t pages_on(const char *array, size_t from, size_t to, int node) {
  size_t count = 0;
  for (uintptr_t page = (uintptr_t)(array + from) / PAGE * PAGE; page < (uintptr_t)(array + to);
       page += PAGE)
    count += node_of_page((void *)page) == node;
  return count;
}

static inline size_t sum_of(const struct mai_moves *moves) {
  return moves->moved + moves->right + moves->untouched + moves->full + moves->shared +
         moves->busy + moves->failed;
}

/* Run `work` as a thread of the CPU. */
static inline void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    exit(2);
}

/* How a child ends that runs `work`: its exit status, or 128 + the signal. */
static inline int status_of_child(int (*work)(void *), void *argument) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit(work(argument));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A line of /proc/self/status, in KiB. */
static inline size_t kilobytes_of(const char *field) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  size_t kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, field, strlen(field)) == 0)
      kilobytes = strtoul(line + strlen(field) + 1, NULL, 10);
  if (file)
    fclose(file);
  return kilobytes;
}

/* Write a word to a file of /proc or /sys; 0 when that is not possible. */
static inline int write_word(const char *path, const char *word) {
  FILE *file = fopen(path, "w");
  if (!file)
    return 0;
  int written = fputs(word, file) >= 0;
  return fclose(file) == 0 && written;
}
