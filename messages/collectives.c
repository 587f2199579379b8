/*===-- collectives.c - messages among all ranks of a communicator ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * How a library does these is its affair, and differs by size and version. Counted is what any must
 * do: the data of one rank that another one gets counts as one message from that to this. Where all
 * get what is computed from all (Allreduce), each computes an equal part, for which all send
 * theirs, and sends that to all.
 */
#include "front.h"

/*===-- Who sends to whom --------------------------------------------------===*/

/* Of an intercommunicator the root names itself so. */
static bool is_root(const struct peers *peers, int root) {
  return root == (peers->own < 0 ? mpi_library()->root : peers->own);
}

/* Others than the root need not give the type. */
static void from_root(mpi_handle among, int root, int count, mpi_handle type) {
  const struct peers *peers = peers_of(among);
  if (peers && is_root(peers, root))
    sent_to_all(peers, sent_bytes(count, type));
}

static void from_root_each(mpi_handle among, int root, const int *counts, mpi_handle type) {
  const struct peers *peers = peers_of(among);
  for (int i = 0; peers && is_root(peers, root) && i < peers->count; i++)
    sent_to(peers, i, sent_bytes(counts[i], type));
}

static void to_root(mpi_handle among, int root, int count, mpi_handle type) {
  const struct peers *peers = peers_of(among);
  if (peers && root >= 0 && root != peers->own)
    sent_to(peers, root, sent_bytes(count, type));
}

static void to_each(mpi_handle among, const int *counts, mpi_handle type) {
  const struct peers *peers = peers_of(among);
  for (int i = 0; peers && i < peers->count; i++)
    sent_to(peers, i, sent_bytes(counts[i], type));
}

static void to_each_of_type(mpi_handle among, const int *counts, const void *types) {
  const struct peers *peers = peers_of(among);
  for (int i = 0; peers && i < peers->count; i++)
    sent_to(peers, i, sent_bytes(counts[i], mpi_handle_at(types, (size_t)i)));
}

/* An equal part of what all get for each, twice: before and after it is computed. */
static void to_all_and_back(mpi_handle among, uint64_t bytes) {
  const struct peers *peers = peers_of(among);
  if (peers && peers->count > 0)
    sent_to_all(peers, 2 * bytes / (uint64_t)peers->count);
}

static void to_next(mpi_handle among, uint64_t bytes) {
  const struct peers *peers = peers_of(among);
  if (peers)
    sent_to(peers, peers->own + 1, bytes);
}

static void to_all(mpi_handle among, int count, mpi_handle type) {
  sent_to_all(peers_of(among), sent_bytes(count, type));
}

/* What a rank sends may be told by where it receives. */
static bool is_in_place(const void *buffer) { return buffer == mpi_library()->in_place; }

static void own_part_to_all(mpi_handle among, const int *counts, mpi_handle type) {
  const struct peers *peers = peers_of(among);
  if (peers && peers->own >= 0)
    sent_to_all(peers, sent_bytes(counts[peers->own], type));
}

/*===-- From and to one ----------------------------------------------------===*/

FRONT_COLLECTIVE(Bcast, Ibcast,
                 (void *buffer, int count, mpi_handle type, int root, mpi_handle among),
                 (buffer, count, type, root, among), from_root(among, root, count, type))

FRONT_COLLECTIVE(Scatter, Iscatter,
                 (const void *buffer, int count, mpi_handle type, void *got, int got_count,
                  mpi_handle got_type, int root, mpi_handle among),
                 (buffer, count, type, got, got_count, got_type, root, among),
                 from_root(among, root, count, type))

FRONT_COLLECTIVE(Scatterv, Iscatterv,
                 (const void *buffer, const int *counts, const int *places, mpi_handle type,
                  void *got, int got_count, mpi_handle got_type, int root, mpi_handle among),
                 (buffer, counts, places, type, got, got_count, got_type, root, among),
                 from_root_each(among, root, counts, type))

FRONT_COLLECTIVE(Gather, Igather,
                 (const void *buffer, int count, mpi_handle type, void *got, int got_count,
                  mpi_handle got_type, int root, mpi_handle among),
                 (buffer, count, type, got, got_count, got_type, root, among),
                 to_root(among, root, count, type))

FRONT_COLLECTIVE(Gatherv, Igatherv,
                 (const void *buffer, int count, mpi_handle type, void *got, const int *counts,
                  const int *places, mpi_handle got_type, int root, mpi_handle among),
                 (buffer, count, type, got, counts, places, got_type, root, among),
                 to_root(among, root, count, type))

FRONT_COLLECTIVE(Reduce, Ireduce,
                 (const void *buffer, void *got, int count, mpi_handle type, mpi_handle operation,
                  int root, mpi_handle among),
                 (buffer, got, count, type, operation, root, among),
                 to_root(among, root, count, type))

/*===-- Among all ----------------------------------------------------------===*/

FRONT_COLLECTIVE(Allreduce, Iallreduce,
                 (const void *buffer, void *got, int count, mpi_handle type, mpi_handle operation,
                  mpi_handle among),
                 (buffer, got, count, type, operation, among),
                 to_all_and_back(among, sent_bytes(count, type)))

FRONT_COLLECTIVE(Allgather, Iallgather,
                 (const void *buffer, int count, mpi_handle type, void *got, int got_count,
                  mpi_handle got_type, mpi_handle among),
                 (buffer, count, type, got, got_count, got_type, among),
                 is_in_place(buffer) ? to_all(among, got_count, got_type)
                                     : to_all(among, count, type))

FRONT_COLLECTIVE(Allgatherv, Iallgatherv,
                 (const void *buffer, int count, mpi_handle type, void *got, const int *counts,
                  const int *places, mpi_handle got_type, mpi_handle among),
                 (buffer, count, type, got, counts, places, got_type, among),
                 is_in_place(buffer) ? own_part_to_all(among, counts, got_type)
                                     : to_all(among, count, type))

FRONT_COLLECTIVE(Alltoall, Ialltoall,
                 (const void *buffer, int count, mpi_handle type, void *got, int got_count,
                  mpi_handle got_type, mpi_handle among),
                 (buffer, count, type, got, got_count, got_type, among),
                 is_in_place(buffer) ? to_all(among, got_count, got_type)
                                     : to_all(among, count, type))

FRONT_COLLECTIVE(Alltoallv, Ialltoallv,
                 (const void *buffer, const int *counts, const int *places, mpi_handle type,
                  void *got, const int *got_counts, const int *got_places, mpi_handle got_type,
                  mpi_handle among),
                 (buffer, counts, places, type, got, got_counts, got_places, got_type, among),
                 is_in_place(buffer) ? to_each(among, got_counts, got_type)
                                     : to_each(among, counts, type))

FRONT_COLLECTIVE(Alltoallw, Ialltoallw,
                 (const void *buffer, const int *counts, const int *places, const void *types,
                  void *got, const int *got_counts, const int *got_places, const void *got_types,
                  mpi_handle among),
                 (buffer, counts, places, types, got, got_counts, got_places, got_types, among),
                 is_in_place(buffer) ? to_each_of_type(among, got_counts, got_types)
                                     : to_each_of_type(among, counts, types))

FRONT_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
                 (const void *buffer, void *got, const int *counts, mpi_handle type,
                  mpi_handle operation, mpi_handle among),
                 (buffer, got, counts, type, operation, among), to_each(among, counts, type))

FRONT_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
                 (const void *buffer, void *got, int count, mpi_handle type, mpi_handle operation,
                  mpi_handle among),
                 (buffer, got, count, type, operation, among), to_all(among, count, type))

/* Each gets what the one before it has computed. */
FRONT_COLLECTIVE(Scan, Iscan,
                 (const void *buffer, void *got, int count, mpi_handle type, mpi_handle operation,
                  mpi_handle among),
                 (buffer, got, count, type, operation, among),
                 to_next(among, sent_bytes(count, type)))

FRONT_COLLECTIVE(Exscan, Iexscan,
                 (const void *buffer, void *got, int count, mpi_handle type, mpi_handle operation,
                  mpi_handle among),
                 (buffer, got, count, type, operation, among),
                 to_next(among, sent_bytes(count, type)))
