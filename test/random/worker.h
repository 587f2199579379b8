/*===-- worker.h - a thread that makes calls at random ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Workers draw calls, write down what they are about to call, and stop the program at the first
 * answer that the headers do not allow.  What a call draws depends on the seed, the worker and the
 * call's number alone: calls can be left out, and the others stay what they are.
 */
#ifndef RANDOM_WORKER_H
#define RANDOM_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARRAYS = 12, STATICS = 8, LAST_CALLS = 32 };

struct worker {
  unsigned number;
  uint64_t state;      /* of its random numbers */
  unsigned long call;  /* number of the call at work */
  unsigned long begun; /* calls so far; atomic, for who watches */
  struct array arrays[ARRAYS];
  struct array *statics; /* of the program, which only worker 0 has; else NULL */
  struct array quiet;    /* its contents never change; signal handlers read it */
  unsigned long noted;   /* entries of `last` so far */
  char last[LAST_CALLS][256];
};

/** A number in [0, below). */
size_t draw(struct worker *worker, size_t below);

/** Whether to do something that is done one time in `n`. */
bool one_in(struct worker *worker, size_t n);

/** What a call draws begins anew. */
void begin_call(struct worker *worker, unsigned long seed, unsigned long number);

/** Write down what is called next, with errno as no call leaves it. */
void calling(struct worker *worker, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Say what is wrong, the seed and the last calls, and end the program. */
void wrong(struct worker *worker, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/** The call has failed: with one of these errnos?  The list ends with 0. */
void expect_errno(struct worker *worker, ...);

/** The call returned 0 or a value: it has left errno, which nothing sets to 0. */
void expect_success(struct worker *worker, bool success);

/** Either, by its result: 0, or -1 with one of these errnos. @return whether it was 0 */
bool expect_done(struct worker *worker, int result, ...);

/** Print the last calls of a worker. Safe in signal handlers. */
void print_last_calls(const struct worker *worker);

/** The command line that does the same again. */
void describe_run(const char *text);

#ifdef __cplusplus
}
#endif
#endif
