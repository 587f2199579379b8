/*===-- worker.c - a thread that makes calls at random ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { UNSET = 4000 }; /* no errno: what is there before a call */

static char command[512];

void describe_run(const char *text) { snprintf(command, sizeof command, "%s", text); }

/* The finaliser of SplitMix64 (Steele et al., 2014). */
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

void begin_call(struct worker *worker, unsigned long seed, unsigned long number) {
  worker->call = number;
  worker->state = mix(mix(seed) + worker->number) + number * 0x9e3779b97f4a7c15;
  __atomic_add_fetch(&worker->begun, 1, __ATOMIC_RELAXED);
}

size_t draw(struct worker *worker, size_t below) {
  worker->state += 0x9e3779b97f4a7c15;
  return (size_t)((__uint128_t)mix(worker->state) * below >> 64);
}

bool one_in(struct worker *worker, size_t n) { return draw(worker, n) == 0; }

void calling(struct worker *worker, const char *format, ...) {
  char *text = worker->last[worker->noted++ % LAST_CALLS];
  int length = snprintf(text, sizeof *worker->last, "%u.%lu: ", worker->number, worker->call);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, sizeof *worker->last - (size_t)length, format, arguments);
  va_end(arguments);
  errno = UNSET;
}

static void print(const char *text) {
  if (write(STDOUT_FILENO, text, strlen(text)) < 0)
    _exit(2);
}

void print_last_calls(const struct worker *worker) {
  for (unsigned long i = 0; i < LAST_CALLS; i++) {
    const char *text = worker->last[(worker->noted + i) % LAST_CALLS];
    if (*text) {
      print("  ");
      print(text);
      print("\n");
    }
  }
  print(command);
}

void wrong(struct worker *worker, const char *format, ...) {
  int error = errno;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print("WRONG: ");
  print(text);
  snprintf(text, sizeof text, " (errno %s)\nthe last calls:\n",
           error == UNSET ? "as before"
           : error        ? strerrorname_np(error)
                          : "0");
  print(text);
  print_last_calls(worker);
  _exit(1);
}

static void expect_one_of(struct worker *worker, va_list allowed) {
  for (int error = va_arg(allowed, int); error; error = va_arg(allowed, int))
    if (errno == error)
      return;
  wrong(worker, "an errno that the header does not name");
}

void expect_errno(struct worker *worker, ...) {
  va_list allowed;
  va_start(allowed, worker);
  expect_one_of(worker, allowed);
  va_end(allowed);
}

void expect_success(struct worker *worker, bool success) {
  if (!success)
    wrong(worker, "failed");
  if (errno == 0)
    wrong(worker, "sets errno to 0");
}

bool expect_done(struct worker *worker, int result, ...) {
  va_list allowed;
  va_start(allowed, result);
  if (result == 0)
    expect_success(worker, true);
  else if (result == -1)
    expect_one_of(worker, allowed);
  else
    wrong(worker, "returned %d", result);
  va_end(allowed);
  return result == 0;
}
