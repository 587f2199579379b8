/*===-- settings.h - what the user has set in the environment ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Read once, before main(): a program changes its environment while other threads run, and to read
 * it then would be a race.  Constant from then on.  Nothing is set where the program has rights
 * that its caller has not (runtime/rights.h).
 */
#ifndef MAI_SETTINGS_H
#define MAI_SETTINGS_H

#include <stdbool.h>

/** Texts are NULL where a variable is not set or empty; a flag is one that is set to neither "" nor
 *  "0". */
struct mai_settings {
  const char *map_file; /**< MAI_MAP_FILE */
  const char *mapping;  /**< MAI_MAPPING */
  const char *policy;   /**< MAI_POLICY */
  const char *names;  /**< MAI_NAMES: the tables of names that mai-run has had made, a line each */
  const char *report; /**< MAI_REPORT, where it is a flag; a file's name from the root on */
  const char *learn;  /**< MAI_LEARN; from the root on */
  const char *loops;  /**< MAI_LOOPS */
  const char *tasks;  /**< MAI_TASKS */
  const char *run_process;    /**< MAI_RUN_PROCESS: the number of the process that mai-run became */
  const char *least_size;     /**< MAI_RUN_LEAST_BYTES, for mai-run's library */
  const char *wrappers;       /**< MAI_RUN_WRAPPERS, for mai-run's library */
  const char *keep;           /**< MAI_RUN_KEEP, for mai-run's library */
  const char *runtime_folder; /**< XDG_RUNTIME_DIR, where it is a name from the root on */
  const char *threads;        /**< MAI_THREADS */
  bool all_threads;           /**< MAI_THREADS=all: also those that are not OpenMP's */
  bool list;                  /**< MAI_RUN_LIST: the report is a list of blocks and arrays */
  bool alone;                 /**< MAI_NEIGHBOURS=0: other programs are not looked at */
  const char *dynamic_budget; /**< MAI_DYNAMIC_BUDGET */
  bool dynamic;       /**< MAI_DYNAMIC: what no entry of MAI_POLICY fits has the policy `dynamic` */
  bool dynamic_chaos; /**< MAI_DYNAMIC_CHAOS: watch and move at random, as often as can be */
  bool populate;      /**< MAI_POPULATE */
  bool strict;        /**< MAI_STRICT */
  bool verbose;       /**< MAI_VERBOSE */
  bool silent;        /**< MAI_VERBOSE=0 */
  bool watch;         /**< MAI_WATCH */
  bool any;           /**< one of those that ask for messages is set, or seems to be meant */
};

const struct mai_settings *mai_settings(void);

/** Whether this is the program that the user has started, and not one that mai-run's program has
 *  started, which has the same environment. */
bool mai_settings_are_users(void);

/** Whether this process has read the settings, and was not forked from one that has. */
bool mai_settings_are_first_process(void);

/** Whether this process, not one that it was forked from, was asked for a report at its end, or for
 *  the policies that it has found. */
bool mai_settings_report_wanted(void);

#endif /* MAI_SETTINGS_H */
