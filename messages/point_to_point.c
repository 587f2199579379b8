/*===-- point_to_point.c - messages from one rank to another ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "front.h"
#include "requests.h"

#define SEND_PARAMETERS(count_type)                                                                \
  const void *buffer, count_type count, mpi_handle type, int to, int tag, mpi_handle among
#define SEND_ARGUMENTS buffer, count, type, to, tag, among

/* Four ways to send, each waiting or not, and with counts beyond an int. */
#define SEND(name, count_type)                                                                     \
  FRONT_FUNCTION(name, (SEND_PARAMETERS(count_type)), (SEND_ARGUMENTS),                            \
                 sent_to(peers_of(among), to, sent_bytes(count, type)))
#define SEND_LATER(name, count_type)                                                               \
  FRONT_FUNCTION(name, (SEND_PARAMETERS(count_type), void *request), (SEND_ARGUMENTS, request),    \
                 sent_to(peers_of(among), to, sent_bytes(count, type)))
#define SEND_OFTEN(name, count_type)                                                               \
  FRONT_FUNCTION(name, (SEND_PARAMETERS(count_type), void *request), (SEND_ARGUMENTS, request),    \
                 remember(request, peers_of(among), to, sent_bytes(count, type)))

static void remember(const void *request, const struct peers *peers, int to, uint64_t bytes) {
  if (peers && to >= 0 && to < peers->count)
    requests_add(mpi_handle_at(request, 0), peers->all[to], bytes);
}

static void start(const void *requests, int count) {
  for (int i = 0; i < count; i++)
    requests_start(mpi_handle_at(requests, (size_t)i));
}

SEND(Send, int)
SEND(Bsend, int)
SEND(Ssend, int)
SEND(Rsend, int)
SEND(Send_c, long long)
SEND(Bsend_c, long long)
SEND(Ssend_c, long long)
SEND(Rsend_c, long long)
SEND_LATER(Isend, int)
SEND_LATER(Ibsend, int)
SEND_LATER(Issend, int)
SEND_LATER(Irsend, int)
SEND_LATER(Isend_c, long long)
SEND_LATER(Ibsend_c, long long)
SEND_LATER(Issend_c, long long)
SEND_LATER(Irsend_c, long long)
SEND_OFTEN(Send_init, int)
SEND_OFTEN(Bsend_init, int)
SEND_OFTEN(Ssend_init, int)
SEND_OFTEN(Rsend_init, int)

FRONT_FUNCTION(Sendrecv,
               (const void *buffer, int count, mpi_handle type, int to, int tag, void *got,
                int most, mpi_handle got_type, int from, int got_tag, mpi_handle among,
                void *status),
               (buffer, count, type, to, tag, got, most, got_type, from, got_tag, among, status),
               sent_to(peers_of(among), to, sent_bytes(count, type)))

FRONT_FUNCTION(Sendrecv_replace,
               (void *buffer, int count, mpi_handle type, int to, int tag, int from, int got_tag,
                mpi_handle among, void *status),
               (buffer, count, type, to, tag, from, got_tag, among, status),
               sent_to(peers_of(among), to, sent_bytes(count, type)))

FRONT_FUNCTION(Start, (void *request), (request), start(request, 1))

FRONT_FUNCTION(Startall, (int count, void *requests), (count, requests), start(requests, count))

/* A request has no value any more when it has been freed. */
FRONT(Request_free, (void *request)) {
  mpi_handle ended = request && mpi_library() ? mpi_handle_at(request, 0) : NULL;
  requests_remove(ended);
  FRONT_CALL(Request_free, (void *), (request), (void)0)
}
