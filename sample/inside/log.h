/*===-- log.h - what a program's blocks are, for mai-trace record -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-trace record makes a file, the program and its children map it and append to it, and keep no
 * descriptor of it: programs close descriptors that they do not know.  It consists of slots of one
 * size; a slot whose kind is 0 was never finished.
 */
#ifndef SAMPLE_LOG_H
#define SAMPLE_LOG_H

#include <stdint.h>

#define SAMPLE_LOG_FILE "MAI_RECORD_LOG"
#define SAMPLE_LOG_BLOCK "MAI_RECORD_BLOCK"

enum sample_log_kind {
  SAMPLE_LOG_NOTHING,
  SAMPLE_LOG_ALLOCATED,
  SAMPLE_LOG_FREED,
  SAMPLE_LOG_CHAIN, /**< the calls that lead to a site: `bytes` of slots behind it are its text */
  SAMPLE_LOG_TEXT
};

enum { SAMPLE_LOG_TEXT_BYTES = 56 };

/** The first slot. */
struct sample_log_head {
  uint64_t used;  /**< slots, with this one; may be more than there are */
  uint64_t slots; /**< that there are */
  uint64_t spare[6];
};

struct sample_log_slot {
  uint32_t kind;
  uint32_t process;
  union {
    struct {
      uint64_t time; /**< CLOCK_MONOTONIC, nanoseconds */
      uint64_t address;
      uint64_t bytes;
      uint64_t chain; /**< number of its slot; 0: not known */
      uint64_t spare[3];
    };
    char text[SAMPLE_LOG_TEXT_BYTES];
  };
};

#endif /* SAMPLE_LOG_H */
