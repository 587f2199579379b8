/*===-- settings.h - what the environment asks for ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The variables are those of mai-trace(1), which sets them from its options.
 */
#ifndef MAI_TRACE_SETTINGS_H
#define MAI_TRACE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { TRACE_PATH_MAX = 4096 };

struct trace_settings {
  char file[TRACE_PATH_MAX]; /**< of the profile; of a process that mai-trace did not start itself,
                                  with its number before the suffix */
  unsigned long sample;      /**< count one of so many accesses */
  unsigned long pace;        /**< accesses that a thread makes in a second, of those that are
                                  sampled; 0: as many as it can */
  size_t cache;              /**< bytes of the cache whose misses are counted; 0: all accesses */
  size_t line;               /**< bytes, a power of 2 of at least 64 */
  size_t page;               /**< bytes of a page of the system */
  size_t memory;             /**< bytes for counters */
  size_t block;              /**< bytes from which on allocations are known by their site */
  bool phases;
  bool tasks;               /**< count tasks by themselves */
  bool any_loops;           /**< MAI_LOOPS=any: threads do not take pieces of loops near them */
  bool transfers;           /**< see which thread gets lines from which */
  bool sources;             /**< see which code accesses what */
  bool model;               /**< let a model of caches and prefetchers see accesses; sources, too */
  unsigned model_nodes;     /**< of the model, each with a last-level cache */
  bool model_imagined;      /**< they are not the machine's */
  size_t model_cache;       /**< bytes of the last-level cache of a node of the model */
  unsigned model_ways;      /**< of that */
  unsigned long checkpoint; /**< milliseconds from one writing of the profile to the next; 0: once,
                                 at the end */
  unsigned long slices;     /**< milliseconds of a slice of time; 0: the run is one */
  unsigned long after;      /**< milliseconds before the program is counted */
  unsigned long duration;   /**< and for how long it is; 0: to its end */
};

/** Read the environment that the process was started with: what cannot be used is said on standard
 *  error and left at its default.  @param program as it was called; NULL where it is not known */
void trace_settings_read(struct trace_settings *settings, const char *program,
                         char *const *variables);

#endif /* MAI_TRACE_SETTINGS_H */
