/*===-- sent.h - what the calling rank has sent ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MESSAGES_SENT_H
#define MESSAGES_SENT_H

#include <stdbool.h>
#include <stdint.h>

#include "library.h"
#include "peers.h"

/** What one rank has sent to another. */
struct sent {
  _Atomic uint64_t bytes, messages;
};

/** Functions of MPI may call others: only what the program calls is counted. Between sent_enter(),
 *  which says whether this is such a call, and sent_leave(). */
bool sent_enter(void);
void sent_leave(void);

/** So many elements of a type, in bytes. */
uint64_t sent_bytes(int64_t count, mpi_handle type);

/** Count a message to a rank of MPI_COMM_WORLD. Those to oneself, and to no rank of it, are not. */
void sent_add(int to, uint64_t bytes);

/** Count one that this rank takes from another's memory. */
void sent_add_taken(int from, uint64_t bytes);

/** Count a message to a peer of that number. */
void sent_to(const struct peers *peers, int number, uint64_t bytes);

/** Count a message to each peer. */
void sent_to_all(const struct peers *peers, uint64_t bytes);

/** By rank of MPI_COMM_WORLD; NULL: nothing was counted yet, or there is no memory. */
struct sent *sent_by_rank(void);
struct sent *sent_taken_by_rank(void);

#endif /* MESSAGES_SENT_H */
