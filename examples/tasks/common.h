/*===-- common.h - what the programs by tasks share --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Options, memory, random numbers, and the last line, which says whether the result is right.
 */
#ifndef TASKS_COMMON_H
#define TASKS_COMMON_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

static bool serial; /* one thread touches all data first */

/* A number that the user may choose. */
struct option {
  const char *name; /* with its hyphens */
  long *value;      /* holds the default */
  long paper;       /* its value with --paper */
};

static void end_with_usage(const char *program, const struct option *options) {
  fprintf(stderr, "usage: %s [--paper] [--serial]", program);
  for (; options->name; options++)
    fprintf(stderr, " [%s N]", options->name);
  fputc('\n', stderr);
  exit(2);
}

static bool read_positive(const char *text, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *value > 0;
}

/* What comes later on the command line counts.  `options` ends with one that has no name. */
static void read_options(char **arguments, const struct option *options) {
  for (char **next = arguments + 1; *next; next++) {
    const struct option *option = options;
    while (option->name && strcmp(*next, option->name) != 0)
      option++;
    if (option->name) {
      if (!*++next || !read_positive(*next, option->value))
        end_with_usage(*arguments, options);
    } else if (strcmp(*next, "--paper") == 0) {
      for (option = options; option->name; option++)
        *option->value = option->paper;
    } else if (strcmp(*next, "--serial") == 0) {
      serial = true;
    } else {
      end_with_usage(*arguments, options);
    }
  }
}

static inline void *allocate(long count, size_t size) {
  size_t bytes;
  void *memory = __builtin_mul_overflow((size_t)count, size, &bytes)
                     ? NULL
                     : aligned_alloc(64, (bytes | 63) + 1);
  if (memory)
    return memory;
  fprintf(stderr, "no memory for %ld elements of %zu bytes\n", count, size);
  exit(2);
}

/* The number `index` of a sequence: every thread makes its own part (S. Vigna's splitmix64). */
static inline uint64_t random_number(long index) {
  uint64_t state = ((uint64_t)index + 1) * UINT64_C(0x9e3779b97f4a7c15);
  state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
  return state ^ state >> 31;
}

/* The same as a number from 0 to 1. */
static inline double random_fraction(long index) {
  return (double)(random_number(index) >> 11) * 0x1p-53;
}

/* The last line, and the exit status. */
static int tell(bool right, double seconds) {
  printf("%d threads, %.6f s\n", omp_get_max_threads(), seconds);
  puts(right ? "VERIFICATION SUCCESSFUL" : "VERIFICATION FAILED");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif /* TASKS_COMMON_H */
