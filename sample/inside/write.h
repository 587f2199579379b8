/*===-- write.h - appends to the log of mai-trace record ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef SAMPLE_WRITE_H
#define SAMPLE_WRITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "log.h"

/** What a slot says, besides when and who. */
struct sample_entry {
  const void *address;
  uint64_t bytes, chain, thread;
  const char *text; /**< of so many bytes */
  size_t length;
};

/** Map the log that this process was told of, if it was. @return whether there is one */
bool sample_log_open(void);

bool sample_log_is_open(void);

/** The function of this name behind this library's own. */
void *sample_next(void *_Atomic *known, const char *name);

#define SAMPLE_NEXT(function)                                                                      \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (__typeof__(&(function)))sample_next(&known, #function);                                       \
  }))

#define SAMPLE_INTERPOSES __attribute__((visibility("default")))

/** A number for a new chain. */
uint64_t sample_log_new_chain(void);

/** Append. @return whether there was room */
bool sample_log_put(enum sample_log_kind kind, const struct sample_entry *entry);

#endif /* SAMPLE_WRITE_H */
