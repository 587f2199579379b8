/*===-- evidence.h - what samples say of a program ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef TRIALS_EVIDENCE_H
#define TRIALS_EVIDENCE_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

/** What mai-trace has found in a sampled run. Its files lie in the current directory, for the user.
 */
struct evidence {
  char profile[NAME_MAX];  /**< samples */
  char policies[NAME_MAX]; /**< a policy for each array that gains by one, or "" */
  char map[NAME_MAX];      /**< a CPU for each thread, where that gains, or "" */
  json_t *report;          /**< by mai-trace report, or NULL: no samples could be taken */
  bool imagined;           /**< it is about a machine with several nodes, which this is not */
};

/**
 * Run a program once more, sampled, and have the samples judged.
 * @param seconds of processors that it takes, which decide how often samples are taken
 * @param imagined the number of nodes to judge for, or 0: those of this machine
 */
void evidence_take(struct evidence *evidence, char *const *program, double seconds,
                   unsigned imagined);

/** Whether something is wrong. */
bool evidence_is_bad(const struct evidence *evidence);

/** Print what is wrong, in sentences, the worst first. */
void evidence_print(const struct evidence *evidence, bool only_verdicts);

void evidence_free(struct evidence *evidence);

#endif /* TRIALS_EVIDENCE_H */
