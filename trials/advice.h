/*===-- advice.h - what is known of a program, and what was tried -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef TRIALS_ADVICE_H
#define TRIALS_ADVICE_H

#include "evidence.h"
#include "look.h"
#include "sources.h"

enum { MOST_SETTING = 4, MOST_SETTINGS = 8 };

/** What is tried: the program as it is, or behind "mai-run -q" and some words. */
struct setting {
  bool runs;   /**< mai-run */
  bool places; /**< memory, which matters where there are several nodes */
  const char *words[MOST_SETTING];
};

struct advice {
  numarch_t *machine;
  char *const *program;
  struct look look;
  double processor_seconds; /**< of the first run, by all its threads */
  struct evidence evidence;
  struct sources sources;
  char policies[NAME_MAX + 1]; /**< the evidence's, as a word of mai-run */
  struct setting settings[MOST_SETTINGS];
  size_t count;                  /**< of these; the first is the program as it is */
  double seconds[MOST_SETTINGS]; /**< of the fastest run; 0: there is none */
  bool fails[MOST_SETTINGS];
  size_t best; /**< the setting that is faster by more than chance */
  double gain; /**< how many times as fast as the program as it is; 0: none is */
};

void advice_print_json(const struct advice *advice);

#endif /* TRIALS_ADVICE_H */
