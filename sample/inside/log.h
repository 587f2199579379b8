/*===-- log.h - what a program tells mai-trace record ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-trace record has a ring in memory that is a file of its own (memfd_create(2)).  The program
 * and its children map it by the name that it has in /proc, append to it, and keep no descriptor of
 * it: programs close descriptors that they do not know.  Where the kernel may refuse a page, all
 * are there from the start, so that none is missing when a program writes to it; else they come as
 * they are used.  It is gone with the last process.
 *
 * It consists of slots of one size, of which the first is the head; a slot whose kind is 0 is not
 * finished yet.  mai-trace reads them several times a second and gives their room back.  What finds
 * no room is counted, and nobody waits.
 */
#ifndef SAMPLE_LOG_H
#define SAMPLE_LOG_H

#include <stdint.h>

#define SAMPLE_LOG_NAME "mai-record" /* of the memory */
#define SAMPLE_LOG_FILE "MAI_RECORD_LOG"
#define SAMPLE_LOG_BLOCK "MAI_RECORD_BLOCK"

enum sample_log_kind {
  SAMPLE_LOG_NOTHING,
  SAMPLE_LOG_ALLOCATED,
  SAMPLE_LOG_NAMED, /**< the same, by MAi, with its name behind it */
  SAMPLE_LOG_FREED,
  SAMPLE_LOG_CHAIN, /**< the calls that lead to a site, as text behind it */
  SAMPLE_LOG_TEXT,
  SAMPLE_LOG_THREAD, /**< `thread` has a number in a team of OpenMP: that is `bytes` */
  SAMPLE_LOG_LOOP    /**< any thread may get any piece of the loop whose code is at `address` */
};

enum { SAMPLE_LOG_TEXT_BYTES = 56, SAMPLE_LOG_SLOTS = 1 << 18 };

/** The first slot. */
struct sample_log_head {
  uint64_t taken;  /**< how many slots have been handed out */
  uint64_t read;   /**< how many of them mai-trace has read */
  uint64_t slots;  /**< that there are behind this one; the n-th that is handed out is n % slots */
  uint64_t chains; /**< how many have numbers */
  uint64_t missed; /**< for how many there was no room */
  uint64_t spare[3];
};

struct sample_log_slot {
  uint32_t kind;
  uint32_t process;
  union {
    struct {
      uint64_t time; /**< CLOCK_MONOTONIC, nanoseconds */
      uint64_t address;
      uint64_t bytes;
      uint64_t chain;  /**< its number; 0: not known */
      uint64_t length; /**< of the text that stands in the slots behind it */
      uint64_t thread;
      uint64_t spare;
    };
    char text[SAMPLE_LOG_TEXT_BYTES];
  };
};

#endif /* SAMPLE_LOG_H */
