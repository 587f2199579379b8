/*===-- trial.h - a timed run of a program ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef TRIALS_TRIAL_H
#define TRIALS_TRIAL_H

#include "command.h"
#include "look.h"

/** What a run was like. */
struct trial {
  double seconds;
  double processor_seconds; /**< of all its threads and children */
  int status;               /**< of waitpid() */
};

/**
 * Run a program, which reads nothing and whose output goes nowhere, and look at it meanwhile.
 * @param look what is seen is added; NULL: nobody looks
 * @return 0, or -1 with errno: there is no process for it; E2BIG: it has too many words
 */
int trial_run(const struct command *command, const numarch_t *machine, struct look *look,
              struct trial *trial);

#endif /* TRIALS_TRIAL_H */
