/*===-- machine.h - the machine on which calls are made ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef RANDOM_MACHINE_H
#define RANDOM_MACHINE_H

#include <numarch.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_NODES = 16, MOST_CPUS = 64 };

struct machine {
  numarch_t *numarch;
  unsigned nodes[MOST_NODES]; /* with memory, OS indices */
  unsigned node_count;
  unsigned cpus[MOST_CPUS];
  unsigned cpu_count;
  size_t page; /* bytes */
};

extern struct machine machine;

/** Read it; ends the program where that fails. */
void read_machine(void);

#ifdef __cplusplus
}
#endif

#endif
