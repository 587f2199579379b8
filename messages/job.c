/*===-- job.c - one file of the messages of all ranks ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "front.h"
#include "peers.h"
#include "runtime/heap.h"
#include "runtime/new_file.h"
#include "runtime/rights.h"
#include "runtime/sort.h"
#include "runtime/system.h"
#include "runtime/text.h"

/* A pair of ranks, in MPI_COMM_WORLD. */
struct entry {
  uint32_t from, to;
  uint64_t bytes, messages;
};

struct list {
  struct entry *entries;
  size_t count;
};

enum { FIRST = 0, TAG = 0, PART = 512, STATUS_WORDS = 16 };

/* No less than any library's status. */
struct any_status {
  uint64_t words[STATUS_WORDS];
};

/*===-- Lists --------------------------------------------------------------===*/

static void add(struct list *list, int from, int to, const struct sent *what) {
  if (what->messages > 0)
    list->entries[list->count++] =
        (struct entry){(uint32_t)from, (uint32_t)to, what->bytes, what->messages};
}

/* What others have sent into this rank's hands it knows by what it has taken. */
static struct list own_list(int own, int ranks) {
  const struct sent *sent = sent_by_rank(), *taken = sent_taken_by_rank();
  struct list list = {NULL, 0};
  if (sent && taken)
    list.entries = minas_alloc_list(2 * (size_t)ranks, sizeof *list.entries);
  for (int i = 0; list.entries && i < ranks; i++) {
    add(&list, own, i, &sent[i]);
    add(&list, i, own, &taken[i]);
  }
  return list;
}

static bool is_less(const struct entry *a, const struct entry *b) {
  return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static int compare(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  return is_less(b, a) - is_less(a, b);
}

/* One entry a pair, in order. */
static void merge(struct list *list) {
  size_t kept = 0;
  if (list->count > 0)
    minas_sort(list->entries, list->count, sizeof *list->entries, compare);
  for (size_t i = 0; i < list->count; i++) {
    struct entry *last = kept > 0 ? &list->entries[kept - 1] : NULL;
    if (last && compare(last, &list->entries[i]) == 0) {
      last->bytes += list->entries[i].bytes;
      last->messages += list->entries[i].messages;
    } else {
      list->entries[kept++] = list->entries[i];
    }
  }
  list->count = kept;
}

/*===-- Gathering ----------------------------------------------------------===*/

static void send_to_first(mpi_handle among, const void *data, size_t bytes) {
  MPI_CALL(PMPI_Send, (const void *, int, mpi_handle, int, int, mpi_handle), data, (int)bytes,
           mpi_library()->byte, FIRST, TAG, among);
}

static void receive(mpi_handle among, int rank, void *data, size_t bytes) {
  struct any_status status;
  MPI_CALL(PMPI_Recv, (void *, int, mpi_handle, int, int, mpi_handle, void *), data, (int)bytes,
           mpi_library()->byte, rank, TAG, among, &status);
}

/* In parts, for which the first has room whatever there are. */
static void send_list(mpi_handle among, const struct list *list) {
  const uint64_t count = list->count;
  send_to_first(among, &count, sizeof count);
  for (size_t at = 0; at < count; at += PART) {
    size_t left = count - at;
    send_to_first(among, list->entries + at, (left < PART ? left : PART) * sizeof *list->entries);
  }
}

/* @return whether there was memory for it */
static bool receive_list(mpi_handle among, int rank, struct list *list) {
  uint64_t count = 0;
  receive(among, rank, &count, sizeof count);
  struct entry *larger = minas_resize(list->entries, (list->count + count + 1) * sizeof *larger);
  if (larger)
    list->entries = larger;
  for (uint64_t at = 0; at < count; at += PART) {
    struct entry part[PART];
    const uint64_t size = (count - at < PART ? count - at : PART);
    receive(among, rank, part, size * sizeof *part);
    if (larger)
      memcpy(larger + list->count + at, part, size * sizeof *part);
  }
  list->count += larger ? count : 0;
  return larger != NULL;
}

/*===-- The file -----------------------------------------------------------===*/

static const char *file_name(void) {
  const char *name = getenv("MAI_MESSAGES");
  return name && *name ? name : "messages.csv";
}

static void say(const char *file, const char *what) {
  struct minas_text text = {0};
  minas_text_add(&text, "libmai-mpi: %s: %s\n", file, what);
  minas_text_write(&text, STDERR_FILENO);
  minas_text_free(&text);
}

static void write_list(const struct list *list) {
  struct minas_text text = {0};
  minas_text_add(&text, "from,to,bytes,messages\n");
  for (size_t i = 0; i < list->count; i++) {
    const struct entry *e = &list->entries[i];
    minas_text_add(&text, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n", e->from, e->to,
                   e->bytes, e->messages);
  }
  if (minas_replace_file(file_name(), &text) != 0)
    say(file_name(), strerror(errno));
  minas_text_free(&text);
}

/*===-------------------------------------------------------------------------===*/

static void gather(mpi_handle among, int ranks, struct list *list) {
  bool is_whole = true;
  for (int rank = FIRST + 1; rank < ranks; rank++)
    is_whole &= receive_list(among, rank, list);
  if (!is_whole) {
    say(file_name(), strerror(ENOMEM));
    return;
  }
  merge(list);
  write_list(list);
}

static void write_messages(void) {
  const int own = peers_own_rank(), ranks = peers_world_size();
  struct list list = own_list(own, ranks);
  mpi_handle among = NULL;
  /* Of our own, so that no receive of the program's meets what is sent here. */
  if (MPI_CALL(PMPI_Comm_dup, (mpi_handle, void *), mpi_library()->world, &among) != 0)
    return;
  if (own == FIRST)
    gather(among, ranks, &list);
  else
    send_list(among, &list);
  MPI_CALL(PMPI_Comm_free, (void *), &among);
  minas_free(list.entries);
}

static void write_once(void) {
  int is_on = 0, is_over = 0;
  if (sent_enter() && !minas_has_others_rights() &&
      MPI_CALL(PMPI_Initialized, (int *), &is_on) == 0 && is_on &&
      MPI_CALL(PMPI_Finalized, (int *), &is_over) == 0 && !is_over)
    write_messages();
  sent_leave();
}

FRONT(Finalize, (void)) {
  write_once();
  FRONT_CALL(Finalize, (void), (), (void)0)
}
