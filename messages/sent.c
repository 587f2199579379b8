/*===-- sent.c - what the calling rank has sent ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "sent.h"

#include <stdatomic.h>

#include "runtime/heap.h"

/*===-- Calls --------------------------------------------------------------===*/

static _Thread_local unsigned depth;

bool sent_enter(void) { return depth++ == 0 && mpi_library(); }

void sent_leave(void) { depth--; }

uint64_t sent_bytes(int64_t count, mpi_handle type) {
  int size = 0;
  if (MPI_CALL(PMPI_Type_size, (mpi_handle, int *), type, &size) != 0 || size < 0 || count < 0)
    return 0;
  return (uint64_t)count * (uint64_t)size;
}

/*===-- Counters -----------------------------------------------------------===*/

struct counters {
  int own, count;
  struct sent *sent, *taken; /* by rank */
};

static struct counters *make_counters(void) {
  struct counters *made = minas_alloc(sizeof *made);
  if (!made)
    return NULL;
  made->own = peers_own_rank();
  made->count = peers_world_size();
  made->sent = minas_alloc_list((size_t)made->count, sizeof *made->sent);
  made->taken = minas_alloc_list((size_t)made->count, sizeof *made->taken);
  if (made->sent && made->taken)
    return made;
  minas_free(made->sent);
  minas_free(made->taken);
  minas_free(made);
  return NULL;
}

/* Of threads that come first at once one makes them. */
static struct counters *counters(void) {
  static struct counters *_Atomic all;
  struct counters *now = atomic_load_explicit(&all, memory_order_acquire);
  if (now)
    return now;
  struct counters *made = make_counters();
  if (!made || atomic_compare_exchange_strong(&all, &now, made))
    return made;
  minas_free(made->sent);
  minas_free(made->taken);
  minas_free(made);
  return now;
}

static void add(struct sent *to, uint64_t bytes) {
  atomic_fetch_add_explicit(&to->bytes, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&to->messages, 1, memory_order_relaxed);
}

static bool is_other(const struct counters *all, int rank) {
  return all && rank >= 0 && rank < all->count && rank != all->own;
}

void sent_add(int to, uint64_t bytes) {
  struct counters *all = counters();
  if (is_other(all, to))
    add(&all->sent[to], bytes);
}

void sent_add_taken(int from, uint64_t bytes) {
  struct counters *all = counters();
  if (is_other(all, from))
    add(&all->taken[from], bytes);
}

void sent_to(const struct peers *peers, int number, uint64_t bytes) {
  if (peers && number >= 0 && number < peers->count)
    sent_add(peers->all[number], bytes);
}

void sent_to_all(const struct peers *peers, uint64_t bytes) {
  for (int i = 0; peers && i < peers->count; i++)
    sent_to(peers, i, bytes);
}

struct sent *sent_by_rank(void) {
  struct counters *all = counters();
  return all ? all->sent : NULL;
}

struct sent *sent_taken_by_rank(void) {
  struct counters *all = counters();
  return all ? all->taken : NULL;
}
