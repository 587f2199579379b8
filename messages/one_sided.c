/*===-- one_sided.c - what ranks put into, and take from, others' memory ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "front.h"

/* A function, and the one with a request. */
#define ONE_SIDED(name, with_request, parameters, arguments, after)                                \
  FRONT_COLLECTIVE(name, with_request, parameters, arguments, after)

static void put(mpi_handle window, int to, uint64_t bytes) {
  sent_to(peers_of_window(window), to, bytes);
}

static void take(mpi_handle window, int from, uint64_t bytes) {
  const struct peers *peers = peers_of_window(window);
  if (peers && from >= 0 && from < peers->count)
    sent_add_taken(peers->all[from], bytes);
}

static void exchange(mpi_handle window, int with, uint64_t bytes) {
  put(window, with, bytes);
  take(window, with, bytes);
}

ONE_SIDED(Put, Rput,
          (const void *buffer, int count, mpi_handle type, int to, long place, int its_count,
           mpi_handle its_type, mpi_handle window),
          (buffer, count, type, to, place, its_count, its_type, window),
          put(window, to, sent_bytes(count, type)))

ONE_SIDED(Get, Rget,
          (void *buffer, int count, mpi_handle type, int from, long place, int its_count,
           mpi_handle its_type, mpi_handle window),
          (buffer, count, type, from, place, its_count, its_type, window),
          take(window, from, sent_bytes(count, type)))

ONE_SIDED(Accumulate, Raccumulate,
          (const void *buffer, int count, mpi_handle type, int to, long place, int its_count,
           mpi_handle its_type, mpi_handle operation, mpi_handle window),
          (buffer, count, type, to, place, its_count, its_type, operation, window),
          put(window, to, sent_bytes(count, type)))

ONE_SIDED(Get_accumulate, Rget_accumulate,
          (const void *buffer, int count, mpi_handle type, void *got, int got_count,
           mpi_handle got_type, int with, long place, int its_count, mpi_handle its_type,
           mpi_handle operation, mpi_handle window),
          (buffer, count, type, got, got_count, got_type, with, place, its_count, its_type,
           operation, window),
          exchange(window, with, sent_bytes(got_count, got_type)))

FRONT_FUNCTION(Fetch_and_op,
               (const void *buffer, void *got, mpi_handle type, int with, long place,
                mpi_handle operation, mpi_handle window),
               (buffer, got, type, with, place, operation, window),
               exchange(window, with, sent_bytes(1, type)))

FRONT_FUNCTION(Compare_and_swap,
               (const void *buffer, const void *compared, void *got, mpi_handle type, int with,
                long place, mpi_handle window),
               (buffer, compared, got, type, with, place, window),
               exchange(window, with, sent_bytes(1, type)))
