/*===-- transfers.h - which thread gets a line from which --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A line is *transferred* from the thread that wrote it last to one that reads or writes it then,
 * once until it is written again.  For each line the process has its last writer, who has read it
 * since (a bit for each thread, which those share whose numbers differ by 48), and how often it was
 * transferred; each context has where its transfers came from, and the bytes of each line at which
 * its accesses began.
 *
 * Only where the settings ask for it: 12 bytes a line and 16 more for each context, and the path of
 * accesses that hooks.h does not count itself.
 */
#ifndef MAI_TRACE_TRANSFERS_H
#define MAI_TRACE_TRANSFERS_H

#include "counters.h"

struct trace_owners {
  uintptr_t base;
  struct trace_owners *next;
  _Atomic uint64_t owner[MAI_TRACE_CHUNK_LINES]; /* its writer's code; above, a set of readers */
  atomic_uint transfers[MAI_TRACE_CHUNK_LINES];
};

/** The bytes of lines of a chunk, by kind. */
struct trace_bytes {
  uintptr_t base;
  struct trace_bytes *next;
  uint64_t begun[MAI_TRACE_CHUNK_LINES][2];
};

/** Count an access for a context, and see whether it transfers the line. */
void trace_transfer(struct trace_context *context, uintptr_t address, int kind);

/** The same where all that it needs is there already. @return whether it is; nothing was done
 *  otherwise */
MAI_TRACE_GENERAL_REGISTERS bool trace_transfer_known(struct trace_context *context,
                                                      uintptr_t address, int kind);

/** What is known of a line, now freed, or of these bytes of it, is true of another from now on. */
void trace_transfers_move_line(uintptr_t from, uintptr_t to);
void trace_transfers_move_bytes(struct trace_context *context, uintptr_t from, uintptr_t to,
                                uint64_t bytes);

/** How often a line was transferred. */
unsigned trace_transfers_of(uintptr_t address);

struct trace_owners *trace_owners(void);

/** Forget all: in a child of fork(). */
void trace_transfers_forget(void);

#endif /* MAI_TRACE_TRANSFERS_H */
