/*===-- tool.h - what the parts of the tool `numarch` share -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_TOOL_H
#define NUMARCH_TOOL_H

#include <stdbool.h>

#include "numarch.h"

/** What is shown. */
struct shown {
  const numarch_t *machine;
  const char
      *variable;      /**< the environment variable that names the machine; NULL: the running one */
  bool whole;         /**< all of the machine, not only what this process may use */
  bool measured;      /**< it was measured just now, and that is what was asked for */
  const char *report; /**< a file that MAI_REPORT wrote, or NULL */
};

/*
 * All print on standard output and return 0, or -1 with errno ENOMEM.  A write that failed shows in
 * the stream's state.
 */

/** Print tables for people. */
int print_text(const struct shown *shown);

/** Print JSON. */
int print_json(const struct shown *shown);

/** Print comma-separated values. */
int print_csv(const struct shown *shown);

/** Print a picture.  @return also -1 with errno 0 where the report cannot be used, after a word on
 *  standard error */
int print_svg(const struct shown *shown);

/*===-- Words ---------------------------------------------------------------===*/

enum { BYTES_TEXT_SIZE = 32 };

/** "1.25 MiB": four digits are enough for people. */
const char *format_bytes(uint64_t bytes, char text[BYTES_TEXT_SIZE]);

/** Whether this process may use all CPUs and nodes. */
bool is_all_allowed(const numarch_t *machine);

/** "DRAM" or the like, as JSON and CSV have it. */
const char *kind_name(enum numarch_memory_kind kind);

/** "measured" or the like, as JSON and CSV have it. */
const char *source_name(enum numarch_source source);

/** "unified" or the like, as JSON and CSV have it. */
const char *cache_kind_name(enum numarch_cache_kind kind);

/** "L3" or "L1d". */
enum { CACHE_NAME_SIZE = 16 };
const char *format_cache(const struct numarch_cache *cache, char text[CACHE_NAME_SIZE]);

/** The source of the machine's NUMA factor: of the pair that has the greatest. */
enum numarch_source max_factor_source(const numarch_t *machine);

#endif /* NUMARCH_TOOL_H */
