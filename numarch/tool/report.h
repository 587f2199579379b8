/*===-- report.h - what MAi reported of a program ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The file is JSON as MAI_REPORT writes it, see minas(7), or as mai-map does, with --format=json;
 * or whatever somebody gives for these.
 */
#ifndef NUMARCH_REPORT_H
#define NUMARCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The pages that an array has on a node. */
struct report_share {
  uint32_t os_node;
  uint64_t pages;
};

struct report_array {
  char *name;   /**< UTF-8 */
  char *policy; /**< UTF-8 */
  bool freed;
  uint64_t bytes;
  size_t share_count;
  struct report_share *shares;
};

struct report_thread {
  uint64_t number;
  uint32_t os_cpu;
};

/** What two threads share, in any unit. */
struct report_pair {
  uint64_t threads[2];
  double volume;
};

struct report {
  char *program;      /**< UTF-8 */
  uint64_t page_size; /**< 0 in a map, which has no arrays */
  size_t array_count;
  struct report_array *arrays;
  size_t thread_count; /**< of those whose CPU is known */
  struct report_thread *threads;
  size_t pair_count;
  struct report_pair *pairs; /**< that share most; of a map */
};

/** Read a report, saying on standard error why one cannot be used.
 *  @return 0, or -1 with nothing to free */
int report_read(const char *path, struct report *report);

void report_free(struct report *report);

#endif /* NUMARCH_REPORT_H */
