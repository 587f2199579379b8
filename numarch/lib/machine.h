/*===-- machine.h - what numarch_open() found -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The inside of a numarch_t: written by open.c, read by query.c and performance.c.
 */
#ifndef NUMARCH_MACHINE_H
#define NUMARCH_MACHINE_H

#include <stdbool.h>

#include "numarch.h"

struct numarch {
  bool is_this_system;
  uint32_t node_count;
  uint32_t cpu_count;
  uint32_t core_count;
  uint32_t package_count;
  uint32_t cache_count;
  struct numarch_node *nodes;
  struct numarch_cpu *cpus;
  struct numarch_cache *caches;
  uint32_t *distances;  /**< of node i to node j at i × node_count + j */
  bool *distances_told; /**< in the same order: the kernel told it */
  /** Of node i to node j at i × node_count + j; 0: not known; NULL: none is. */
  double *measured[NUMARCH_METRICS];
  double *firmware[NUMARCH_METRICS];
  char *measurement_path;    /**< where they are or would be; NULL: nowhere */
  char *measurement_problem; /**< why there are no measured values; NULL: nothing is wrong */
  uint32_t *cpu_numbers;     /**< 0, 1, 2, ...: the CPUs of a cache are a part of it */
  uint32_t *node_cpus;       /**< the CPUs of node 0, then those of node 1, ... */
};

#endif /* NUMARCH_MACHINE_H */
