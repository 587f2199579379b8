/*===-- common.h - what the programs that share have in common ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Options, memory, random numbers, time, and the last lines, which say what the result is and
 * whether it is right.
 */
#ifndef SHARING_COMMON_H
#define SHARING_COMMON_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the user may choose: a number, one of two words, or the name of a file. */
struct option {
  const char *name; /* with its hyphens */
  long *number;     /* holds the default */
  long least, most;
  const char **file;    /* NULL: it is none */
  bool *choice;         /* NULL: it is a number */
  const char *words[2]; /* for false and for true */
};

static const char *program_name = "";

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fprintf(stderr, "%s: ", program_name);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  exit(2);
}

static void read_number(const struct option *option, const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno || end == text || *end || value < option->least || value > option->most)
    fail("%s: expected a number from %ld to %ld, found '%s'", option->name, option->least,
         option->most, text);
  *option->number = value;
}

static void read_choice(const struct option *option, const char *text) {
  for (int word = 0; word < 2; word++)
    if (strcmp(text, option->words[word]) == 0) {
      *option->choice = word;
      return;
    }
  fail("%s: expected %s or %s, found '%s'", option->name, option->words[0], option->words[1], text);
}

static void print_usage(const struct option *options) {
  printf("usage: %s", program_name);
  for (; options->name; options++)
    if (options->file)
      printf(" [%s=FILE]", options->name);
    else if (options->choice)
      printf(" [%s=%s|%s]", options->name, options->words[0], options->words[1]);
    else
      printf(" [%s=N]", options->name);
  putchar('\n');
}

static const struct option *find_option(const struct option *options, const char *name,
                                        size_t length) {
  for (; options->name; options++)
    if (strlen(options->name) == length && memcmp(options->name, name, length) == 0)
      return options;
  return NULL;
}

/* Each is --NAME=VALUE; the last one of a name counts.  `options` ends with one without a name. */
static void read_options(char **arguments, const struct option *options) {
  program_name = *arguments;
  for (char **next = arguments + 1; *next; next++) {
    if (strcmp(*next, "--help") == 0) {
      print_usage(options);
      exit(EXIT_SUCCESS);
    }
    size_t length = strcspn(*next, "=");
    const struct option *option = find_option(options, *next, length);
    if (!option || (*next)[length] != '=')
      fail("unknown option '%s' (--help shows those that there are)", *next);
    if (option->file)
      *option->file = *next + length + 1;
    else if (option->choice)
      read_choice(option, *next + length + 1);
    else
      read_number(option, *next + length + 1);
  }
}

enum { LINE = 64, PAGE = 4096, MANY_PAGES = 16 };

/* Pages that nobody has touched, where they are many: from the first byte of one on, so that no
   page is of two nodes' threads where their shares are whole pages. */
static void *allocate(size_t count, size_t size) {
  size_t bytes;
  bool known = !__builtin_mul_overflow(count, size, &bytes) && bytes <= SIZE_MAX / 2;
  size_t unit = known && bytes >= (size_t)MANY_PAGES * PAGE ? PAGE : LINE;
  void *memory = known ? aligned_alloc(unit, (bytes | (unit - 1)) + 1) : NULL;
  if (!memory)
    fail("no memory for %zu elements of %zu bytes", count, size);
  return memory;
}

/* A list with room for so many elements at least; those that are new are zero. */
static __attribute__((unused)) void *grow(void *list, size_t *room, size_t wanted, size_t size) {
  size_t before = *room;
  if (wanted <= before)
    return list;
  *room = 2 * wanted + 64;
  list = realloc(list, *room * size);
  if (!list)
    fail("no memory for %zu elements of %zu bytes", *room, size);
  memset((char *)list + before * size, 0, (*room - before) * size);
  return list;
}

/* The number `index` of a sequence (S. Vigna's splitmix64). */
static uint64_t random_number(uint64_t index) {
  uint64_t state = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
  state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
  return state ^ state >> 31;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Where what differs from run to run is not taken for the result. */
static void say_time(long threads, const char *unit, double begin) {
  fprintf(stderr, "%ld %s, %.6f s\n", threads, unit, seconds_now() - begin);
}

/* The last lines, and the exit status. */
static int tell(uint64_t result, bool right) {
  printf("result %016llx\n", (unsigned long long)result);
  puts(right ? "VERIFICATION SUCCESSFUL" : "VERIFICATION FAILED");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif /* SHARING_COMMON_H */
