/*===-- look.h - where memory and threads of a process are --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef TRIALS_LOOK_H
#define TRIALS_LOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "numarch.h"

enum { LOOK_MOST_NODES = 64 };

/** What was seen of a process when it had most memory, and when most of its threads computed. */
struct look {
  uint64_t bytes[LOOK_MOST_NODES]; /**< of its memory on each node, by OS index */
  uint64_t total;
  uint64_t threads[LOOK_MOST_NODES]; /**< on each node */
  uint64_t seen;                     /**< of these */
};

/** Look at a process at this moment, and add to what was seen before. */
void look_at(struct look *look, const numarch_t *machine, pid_t process);

/** The node that has most of the memory. */
unsigned look_fullest(const struct look *look);

/** Which part of all accesses leaves its node, where all threads use all memory alike. */
double look_remote(const struct look *look);

/** Whether memory lies on few of the nodes on which threads are. */
bool look_is_crowded(const struct look *look);

#endif /* TRIALS_LOOK_H */
