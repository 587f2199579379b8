/*===-- machine.h - what numarch_open() found -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The inside of a numarch_t has two depths.  What a start needs is read by numarch_open() and
 * constant from then on.  The details are read when somebody asks: they are put beside it by OS
 * indices and change nothing of it, so that the two cannot disagree.
 */
#ifndef NUMARCH_MACHINE_H
#define NUMARCH_MACHINE_H

#include <stdbool.h>

#include "numarch.h"

/** What hwloc tells of a machine beyond what a start needs. */
struct numarch_details {
  uint32_t cache_count;
  struct numarch_cache *caches;
  uint32_t *cache_cpus; /**< the CPUs of cache 0, then those of cache 1, ... */
  /** Of node i to node j at i × node_count + j; 0: not known; NULL: none is. */
  double *measured[NUMARCH_METRICS];
  double *firmware[NUMARCH_METRICS];
  char *measurement_path;    /**< where they are or would be; NULL: nowhere */
  char *measurement_problem; /**< why there are no measured values; NULL: nothing is wrong */
};

/** Its lists are in memory of ours (runtime/heap.h), and so is what start.c needs to make them: a
 *  program with a library of Minas finds nothing used in its heap that was free.  The struct itself
 *  is the allocator's, as leak checkers look there for what it points to. */
struct numarch {
  bool is_this_system;
  bool
      may_have_speeds; /**< the firmware may tell latencies and bandwidths, or they were measured */
  uint32_t node_count;
  uint32_t cpu_count;
  uint32_t core_count;
  uint32_t package_count;
  struct numarch_node *nodes;
  struct numarch_cpu *cpus;
  uint32_t *distances;                     /**< of node i to node j at i × node_count + j */
  bool *distances_told;                    /**< in the same order: the kernel told it */
  uint32_t *node_cpus;                     /**< the CPUs of node 0, then those of node 1, ... */
  struct numarch_details *_Atomic details; /**< NULL: not read yet */
};

/** The machine's details, read now unless they have been.  Where that fails they are empty, with
 *  errno ENOMEM or EINVAL, and read anew next time.  Any number of threads may ask at once. */
const struct numarch_details *numarch_details(const struct numarch *machine);

/** The same as far as latencies and bandwidths go: nothing is read where there can be none. */
const struct numarch_details *numarch_speeds(const struct numarch *machine);

void numarch_details_free(struct numarch_details *details);

/** Free what a start needs, not the machine itself. */
void numarch_start_free(struct numarch *machine);

#endif /* NUMARCH_MACHINE_H */
