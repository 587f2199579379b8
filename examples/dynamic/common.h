/*===-- common.h - what the programs for dynamic placement share -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Options, memory, the last line, which says whether the result is right, and an account of where
 * accesses go.
 *
 * A program knows which thread uses which unit of an array (a row, a page, ...) in a pass.  With
 * --count=N it asks the kernel after each Nth pass where the pages are: each page that a thread
 * uses in a pass is a visit.  Without, nothing is asked.
 */
#ifndef DYNAMIC_COMMON_H
#define DYNAMIC_COMMON_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <omp.h>

/*===-- Where accesses go --------------------------------------------------===*/

enum { EVERYONE = -1, MOST_THREADS = 1024, PAGES_AT_A_TIME = 512 };

/* The thread that uses a unit in a pass, or EVERYONE. */
typedef long user_t(long unit, long pass);

static struct {
  double visits, remote;
  double remote_first;             /* if all pages had stayed where they were first */
  double last_visits, last_remote; /* of the last pass that was counted */
  double last_first;
  double begun;     /* when */
  long moved_since; /* the pass from which on remote differs from remote_first */
  long home_since;  /* the pass from which on 90 % are at home; -1: not yet */
  int nodes[MOST_THREADS];
} account = {.moved_since = -1, .home_since = -1};

/*===-- Options ------------------------------------------------------------===*/

/* A number, or the place of a word among some. */
struct option {
  const char *name; /* with its hyphens */
  long *value;      /* holds the default */
  long paper;       /* its value with --paper; 0: as it was */
  const char *words[4];
};

static const char *program_name = "";
static long counted; /* each so many passes; 0: none */

static void end_with_usage(const struct option *options) {
  fprintf(stderr, "usage: %s [--paper] [--count=N]", program_name);
  for (; options->name; options++) {
    fprintf(stderr, " [%s=", options->name);
    for (size_t i = 0; i < 4 && options->words[i]; i++)
      fprintf(stderr, "%s%s", i ? "|" : "", options->words[i]);
    fputs(options->words[0] ? "]" : "N]", stderr);
  }
  fputc('\n', stderr);
  exit(2);
}

static bool read_number(const char *text, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *value > 0;
}

static bool read_word(const struct option *option, const char *text) {
  for (size_t i = 0; i < 4 && option->words[i]; i++)
    if (strcmp(option->words[i], text) == 0) {
      *option->value = (long)i;
      return true;
    }
  return false;
}

/* @return whether `text` is --NAME=VALUE of the option */
static bool read_option(const struct option *option, const char *text) {
  size_t length = strlen(option->name);
  if (strncmp(text, option->name, length) != 0 || text[length] != '=')
    return false;
  text += length + 1;
  return option->words[0] ? read_word(option, text) : read_number(text, option->value);
}

static bool read_any(const struct option *options, const char *text) {
  static const struct option count = {.name = "--count", .value = &counted};
  for (const struct option *option = options; option->name; option++)
    if (read_option(option, text))
      return true;
  return read_option(&count, text);
}

/* What comes later on the command line counts.  `options` ends with one that has no name. */
static void read_options(char **arguments, const struct option *options) {
  const char *slash = strrchr(*arguments, '/');
  program_name = slash ? slash + 1 : *arguments;
  account.begun = omp_get_wtime();
  for (char **next = arguments + 1; *next; next++) {
    if (strcmp(*next, "--paper") == 0) {
      for (const struct option *option = options; option->name; option++)
        *option->value = option->paper ? option->paper : *option->value;
    } else if (!read_any(options, *next)) {
      end_with_usage(options);
    }
  }
}

/*===-- Memory, and the result ---------------------------------------------===*/

enum { PAGE_BYTES = 4096 };

/* Whole pages that nobody has touched, where they are many. */
static void *allocate(long count, size_t size) {
  size_t bytes;
  void *memory = NULL;
  if (!__builtin_mul_overflow((size_t)count, size, &bytes) && bytes < SIZE_MAX / 2)
    memory = aligned_alloc(PAGE_BYTES, (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
  if (memory)
    return memory;
  fprintf(stderr, "no memory for %ld elements of %zu bytes\n", count, size);
  exit(2);
}

/* Where the part of a thread begins, of `count` things that are divided among all. */
static inline long part_begin(long count, long thread, long threads) {
  return count * thread / threads;
}

/* The thread in whose part something is. */
static inline long part_owner(long count, long index, long threads) {
  return ((index + 1) * threads - 1) / count;
}

static void find_nodes(void) {
#pragma omp parallel
  {
    unsigned node = 0;
    syscall(SYS_getcpu, NULL, &node, NULL);
    account.nodes[omp_get_thread_num() % MOST_THREADS] = (int)node;
  }
}

/* How much of the visits of a page goes to another node. */
static double remote_part(int node, long user) {
  if (user != EVERYONE)
    return account.nodes[user % MOST_THREADS] != node;
  int threads = omp_get_max_threads(), others = 0;
  for (int thread = 0; thread < threads; thread++)
    others += account.nodes[thread % MOST_THREADS] != node;
  return (double)others / threads;
}

/* Whether a pass is to be counted. */
static inline bool is_counted(long pass) {
  if (!counted || pass % counted)
    return false;
  account.last_visits = account.last_remote = account.last_first = 0;
  find_nodes();
  return true;
}

enum { MOST_COUNTED = 4 };

/* An array that has been counted. */
static struct counted {
  const char *begin;
  short *nodes; /* of each page when it was counted first: unless it had been moved before, where it
                   was touched first */
} counted_arrays[MOST_COUNTED];

/* @return its place, or a free one; NULL: there are too many */
static inline struct counted *find_counted(const char *begin) {
  for (struct counted *array = counted_arrays; array < counted_arrays + MOST_COUNTED; array++)
    if (array->begin == begin || !array->begin)
      return array;
  return NULL;
}

/* An array ends: what comes to be there next is another one. */
static inline void forget_visits(const void *memory) {
  struct counted *array = find_counted((char *)((uintptr_t)memory & -(uintptr_t)PAGE_BYTES));
  if (!array || !array->begin)
    return;
  free(array->nodes);
  array->nodes = NULL;
}

/* The nodes of an array's pages when it was counted first, which is now if `*is_new`. */
static inline short *first_nodes(const char *begin, long pages, bool *is_new) {
  struct counted *array = find_counted(begin);
  if (!array) {
    fprintf(stderr, "more than %d arrays to count\n", MOST_COUNTED);
    exit(2);
  }
  array->begin = begin;
  *is_new = !array->nodes;
  if (*is_new)
    array->nodes = allocate(pages, sizeof *array->nodes);
  return array->nodes;
}

static inline void count_visits(const void *memory, long units, size_t unit_bytes, user_t *user,
                                long pass) {
  char *begin = (char *)((uintptr_t)memory & -(uintptr_t)PAGE_BYTES);
  size_t offset = (uintptr_t)memory - (uintptr_t)begin;
  long pages = (long)((offset + (size_t)units * unit_bytes) / PAGE_BYTES);
  void *addresses[PAGES_AT_A_TIME];
  int nodes[PAGES_AT_A_TIME];
  bool is_new;
  short *at_first = first_nodes(begin, pages, &is_new);
  for (long first = 0; first < pages; first += PAGES_AT_A_TIME) {
    long count = pages - first < PAGES_AT_A_TIME ? pages - first : PAGES_AT_A_TIME;
    for (long i = 0; i < count; i++)
      addresses[i] = begin + (first + i) * PAGE_BYTES;
    syscall(SYS_move_pages, 0, (unsigned long)count, addresses, NULL, nodes, 0);
    for (long i = 0; i < count; i++) {
      long middle = (first + i) * PAGE_BYTES + PAGE_BYTES / 2 - (long)offset;
      long unit = middle < 0 ? 0 : middle / (long)unit_bytes;
      long whose = user(unit < units ? unit : units - 1, pass);
      if (is_new)
        at_first[first + i] = (short)nodes[i];
      account.last_visits++;
      account.last_remote += remote_part(nodes[i], whose);
      account.last_first += remote_part(at_first[first + i], whose);
    }
  }
}

/* All arrays of a pass have been counted. */
static inline void end_count(long pass) {
  account.visits += account.last_visits * (double)counted;
  account.remote += account.last_remote * (double)counted;
  account.remote_first += account.last_first * (double)counted;
  if (account.moved_since < 0 && account.last_remote != account.last_first)
    account.moved_since = pass;
  if (account.last_remote > 0.1 * account.last_visits)
    account.home_since = -1;
  else if (account.home_since < 0)
    account.home_since = pass;
}

/* The last line, and the exit status; what was counted goes to standard error. */
static int tell(bool right, uint64_t sum) {
  fprintf(stderr, "%s: %.3f s\n", program_name, omp_get_wtime() - account.begun);
  if (account.visits > 0)
    fprintf(
        stderr,
        "%s: %.0f visits, %.0f remote, %.3f at home at the end, 90 %% since pass %ld; as at first: "
        "%.0f remote, other since pass %ld\n",
        program_name, account.visits, account.remote, 1 - account.last_remote / account.last_visits,
        account.home_since, account.remote_first, account.moved_since);
  printf("%s: sum %llu\n", program_name, (unsigned long long)sum);
  puts(right ? "VERIFICATION SUCCESSFUL" : "VERIFICATION FAILED");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif /* DYNAMIC_COMMON_H */
