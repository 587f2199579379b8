/*===-- peers.h - whom the ranks of a communicator are ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MESSAGES_PEERS_H
#define MESSAGES_PEERS_H

#include <stdbool.h>

#include "library.h"

/** The ranks that a communicator, or a window, has messages go to. Of an intercommunicator these
 * are those of the other group. */
struct peers {
  int count;
  int own;        /**< the calling one's number; -1: it is not among them */
  const int *all; /**< in MPI_COMM_WORLD, by their number here; negative: not there */
};

/** Of a communicator. @return NULL where that cannot be said */
const struct peers *peers_of(mpi_handle communicator);

/** Of a window. */
const struct peers *peers_of_window(mpi_handle window);

/** The calling rank's number in MPI_COMM_WORLD, and how many there are. */
int peers_own_rank(void);
int peers_world_size(void);

/** Calls `visit` with each one that the calling rank sends to in a collective operation among
 *  neighbours of a communicator's topology, in their order. */
void peers_visit_neighbours(mpi_handle communicator,
                            void (*visit)(int peer, int number, void *context), void *context);

#endif /* MESSAGES_PEERS_H */
