/*===-- neighbours.c - collective messages along a communicator's topology ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "front.h"

/* What goes to the neighbour of a number. */
struct parts {
  const struct peers *peers;
  const int *counts; /* NULL: `bytes` each */
  const void *types; /* NULL: one type */
  mpi_handle type;
  uint64_t bytes;
};

static uint64_t bytes_of(const struct parts *parts, int number) {
  if (!parts->counts)
    return parts->bytes;
  mpi_handle type = parts->types ? mpi_handle_at(parts->types, (size_t)number) : parts->type;
  return sent_bytes(parts->counts[number], type);
}

static void send_part(int peer, int number, void *context) {
  const struct parts *parts = context;
  sent_to(parts->peers, peer, bytes_of(parts, number));
}

static void alike(mpi_handle among, int count, mpi_handle type) {
  struct parts parts = {.peers = peers_of(among), .bytes = sent_bytes(count, type)};
  peers_visit_neighbours(among, send_part, &parts);
}

static void of_one_type(mpi_handle among, const int *counts, mpi_handle type) {
  struct parts parts = {.peers = peers_of(among), .counts = counts, .type = type};
  peers_visit_neighbours(among, send_part, &parts);
}

static void of_types(mpi_handle among, const int *counts, const void *types) {
  struct parts parts = {.peers = peers_of(among), .counts = counts, .types = types};
  peers_visit_neighbours(among, send_part, &parts);
}

FRONT_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
                 (const void *buffer, int count, mpi_handle type, void *got, int got_count,
                  mpi_handle got_type, mpi_handle among),
                 (buffer, count, type, got, got_count, got_type, among), alike(among, count, type))

FRONT_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
                 (const void *buffer, int count, mpi_handle type, void *got, const int *counts,
                  const int *places, mpi_handle got_type, mpi_handle among),
                 (buffer, count, type, got, counts, places, got_type, among),
                 alike(among, count, type))

FRONT_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
                 (const void *buffer, int count, mpi_handle type, void *got, int got_count,
                  mpi_handle got_type, mpi_handle among),
                 (buffer, count, type, got, got_count, got_type, among), alike(among, count, type))

FRONT_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
                 (const void *buffer, const int *counts, const int *places, mpi_handle type,
                  void *got, const int *got_counts, const int *got_places, mpi_handle got_type,
                  mpi_handle among),
                 (buffer, counts, places, type, got, got_counts, got_places, got_type, among),
                 of_one_type(among, counts, type))

FRONT_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
                 (const void *buffer, const int *counts, const long *places, const void *types,
                  void *got, const int *got_counts, const long *got_places, const void *got_types,
                  mpi_handle among),
                 (buffer, counts, places, types, got, got_counts, got_places, got_types, among),
                 of_types(among, counts, types))
